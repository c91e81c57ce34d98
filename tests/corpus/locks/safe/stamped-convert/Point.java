package geo;

import java.util.concurrent.locks.StampedLock;

/** Goes from a read to a write stamp by conversion, which never blocks while the read is held. */
public final class Point {
    private final StampedLock lock = new StampedLock();
    private double x;
    private double y;

    public void move(double dx, double dy) {
        long stamp = lock.writeLock();
        try {
            x += dx;
            y += dy;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    public double distance() {
        long stamp = lock.tryOptimisticRead();
        double cx = x;
        double cy = y;
        if (!lock.validate(stamp)) {
            stamp = lock.readLock();
            try {
                cx = x;
                cy = y;
            } finally {
                lock.unlockRead(stamp);
            }
        }
        return Math.sqrt(cx * cx + cy * cy);
    }

    public void moveIfAtOrigin(double nx, double ny) {
        long stamp = lock.readLock();
        try {
            while (x == 0.0 && y == 0.0) {
                long write = lock.tryConvertToWriteLock(stamp);
                if (write != 0L) {
                    stamp = write;
                    x = nx;
                    y = ny;
                    break;
                }
                lock.unlockRead(stamp);
                stamp = lock.writeLock();
            }
        } finally {
            lock.unlock(stamp);
        }
    }
}
