package sched;

/** The order is by priority, which changes while others use it. */
public class Task {
    private static int counter;

    private final int serial;
    private volatile int priority;
    private int slices;

    public Task() {
        synchronized (Task.class) {
            serial = ++counter;
        }
        priority = serial;
    }

    public void promote(int by) {
        priority = serial + by;
    }

    public void swapSlices(Task other) {
        if (other == this) {
            return;
        }
        boolean lower = priority < other.priority || priority == other.priority && serial < other.serial;
        Task first = lower ? this : other;
        Task second = lower ? other : this;
        synchronized (first) {
            synchronized (second) {
                int t = slices;
                slices = other.slices;
                other.slices = t;
            }
        }
    }

    public synchronized void grant() {
        slices++;
    }
}
