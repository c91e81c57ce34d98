package pool;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

public final class Pair {
    private final Lock left = new ReentrantLock();
    private final Lock right = new ReentrantLock();
    private int a;
    private int b;

    public boolean leftToRight() {
        left.lock();
        try {
            if (!right.tryLock()) {
                return false;
            }
            try {
                b = a;
                return true;
            } finally {
                right.unlock();
            }
        } finally {
            left.unlock();
        }
    }

    public boolean rightToLeft() throws InterruptedException {
        right.lock();
        try {
            if (left.tryLock(5, TimeUnit.MILLISECONDS)) {
                try {
                    a = b;
                    return true;
                } finally {
                    left.unlock();
                }
            }
            return false;
        } finally {
            right.unlock();
        }
    }

    public int sum() {
        left.lock();
        try {
            return a;
        } finally {
            left.unlock();
        }
    }
}
