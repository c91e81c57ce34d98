package ring;

public class Gate {
    private long passed;

    synchronized void pass(Runnable work) {
        passed++;
        work.run();
    }

    public synchronized long passed() {
        return passed;
    }
}
