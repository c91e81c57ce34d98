package print;

public class Printer {
    private final Spooler spooler;
    private boolean busy;
    private int pages;

    public Printer(Spooler spooler) {
        this.spooler = spooler;
    }

    public synchronized void run() {
        busy = true;
        pages += spooler.takePages();
        busy = false;
    }

    synchronized boolean isBusy() {
        return busy;
    }

    public synchronized int pages() {
        return pages;
    }
}
