package seat;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/** Locks the lower of two seats first; numbers are given once and never change. */
public final class Seat implements Comparable<Seat> {
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final int number = NUMBERS.getAndIncrement();
    private String holder;

    @Override
    public int compareTo(Seat s) {
        return Integer.compare(number, s.number);
    }

    public synchronized String holder() {
        return holder;
    }

    public static boolean reserve(String who, Seat a, Seat b) {
        Seat[] sorted = {a, b};
        Arrays.sort(sorted);
        synchronized (sorted[0]) {
            synchronized (sorted[1]) {
                if (a.holder != null || b.holder != null) {
                    return false;
                }
                a.holder = who;
                b.holder = who;
                return true;
            }
        }
    }
}
