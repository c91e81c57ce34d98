package queue;

import java.util.concurrent.atomic.AtomicLong;

/** Identity equality, and an order by priority with a unique serial behind it. */
public final class Job implements Comparable<Job> {
    private static final AtomicLong SERIAL = new AtomicLong();

    private final int priority;
    private final long serial = SERIAL.getAndIncrement();
    private String note = "";

    public Job(int priority) {
        this.priority = priority;
    }

    public void note(String note) {
        this.note = note;
    }

    public String note() {
        return note;
    }

    @Override
    public int compareTo(Job j) {
        int order = Integer.compare(j.priority, priority);
        return order != 0 ? order : Long.compare(serial, j.serial);
    }
}
