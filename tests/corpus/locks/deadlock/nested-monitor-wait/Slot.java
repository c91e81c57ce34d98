package mail;

final class Slot {
    private String letter;

    synchronized void put(String text) {
        letter = text;
        notifyAll();
    }

    synchronized String take() throws InterruptedException {
        while (letter == null) {
            wait();
        }
        String text = letter;
        letter = null;
        return text;
    }
}
