package flow;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

public class Journal {
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Step> steps = new ArrayList<>();
    private long written;

    void watch(Step step) {
        lock.lock();
        try {
            steps.add(step);
        } finally {
            lock.unlock();
        }
    }

    void write(String text) {
        lock.lock();
        written += text.length();
        lock.unlock();
    }

    public int finished() {
        lock.lock();
        try {
            return steps.stream().mapToInt(Step::done).sum();
        } finally {
            lock.unlock();
        }
    }
}
