package geo;

import java.util.Arrays;
import java.util.concurrent.locks.StampedLock;

public class Track {
    private final StampedLock lock = new StampedLock();
    private double[] xs = new double[8];
    private int size;

    public void add(double x) {
        long stamp = lock.writeLock();
        try {
            if (size == xs.length) {
                xs = Arrays.copyOf(xs, size * 2);
            }
            xs[size++] = x;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    public double last() {
        long stamp = lock.tryOptimisticRead();
        double value = size == 0 ? Double.NaN : xs[size - 1];
        if (!lock.validate(stamp)) {
            stamp = lock.readLock();
            try {
                value = size == 0 ? Double.NaN : xs[size - 1];
            } finally {
                lock.unlockRead(stamp);
            }
        }
        return value;
    }

    /** Keeps the last point only. */
    public void compact() {
        long stamp = lock.writeLock();
        try {
            if (size > 1) {
                double keep = xs[size - 1];
                size = 0;
                add(keep);
            }
        } finally {
            lock.unlockWrite(stamp);
        }
    }
}
