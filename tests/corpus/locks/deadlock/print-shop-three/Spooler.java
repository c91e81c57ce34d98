package print;

public class Spooler {
    private final Object queueLock = new Object();
    private Scheduler scheduler;
    private int waiting;

    public void setScheduler(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public void enqueue(int pages) {
        synchronized (queueLock) {
            waiting += pages;
            if (scheduler != null) {
                scheduler.wake();
            }
        }
    }

    int takePages() {
        synchronized (queueLock) {
            int n = waiting;
            waiting = 0;
            return n;
        }
    }
}
