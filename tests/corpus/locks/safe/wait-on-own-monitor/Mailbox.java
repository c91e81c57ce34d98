package mail;

import java.util.ArrayDeque;
import java.util.Deque;

/** Waits while holding the one monitor that the wait releases. */
public final class Mailbox {
    private final Deque<String> letters = new ArrayDeque<>();
    private final int capacity;

    public Mailbox(int capacity) {
        this.capacity = Math.max(1, capacity);
    }

    public synchronized void deliver(String letter) throws InterruptedException {
        while (isFull()) {
            wait();
        }
        letters.addLast(letter);
        notifyAll();
    }

    public synchronized String fetch() throws InterruptedException {
        synchronized (this) {
            while (letters.isEmpty()) {
                wait();
            }
        }
        String letter = letters.removeFirst();
        notifyAll();
        return letter;
    }

    private synchronized boolean isFull() {
        return letters.size() >= capacity;
    }
}
