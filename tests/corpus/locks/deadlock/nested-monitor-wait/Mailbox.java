package mail;

/** The wait in the slot releases the slot's monitor only; whoever would fill it needs the mailbox first. */
public class Mailbox {
    private final Slot slot = new Slot();
    private int delivered;
    private int fetched;

    public synchronized void deliver(String text) {
        if (text == null) {
            throw new NullPointerException("text");
        }
        delivered++;
        slot.put(text);
    }

    public synchronized String fetch() throws InterruptedException {
        String text = slot.take();
        fetched++;
        return text;
    }

    public synchronized int pending() {
        return delivered - fetched;
    }
}
