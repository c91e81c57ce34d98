package dining;

public final class Fork {
    private int uses;

    synchronized void use(Runnable work) {
        uses++;
        work.run();
    }

    synchronized void use() {
        uses++;
    }

    public synchronized int uses() {
        return uses;
    }
}
