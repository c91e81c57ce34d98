package seat;

import java.util.Arrays;
import java.util.Comparator;

/** Sorts what it locks by row only, so two seats of a row keep the order in which they were given. */
public final class Seat {
    private final int row;
    private final int number;
    private String holder;

    public Seat(int row, int number) {
        this.row = row;
        this.number = number;
    }

    public synchronized String holder() {
        return holder;
    }

    public static boolean reserve(String who, Seat... seats) {
        Seat[] sorted = seats.clone();
        Arrays.sort(sorted, Comparator.comparingInt(s -> s.row));
        return take(who, sorted, 0);
    }

    private static boolean take(String who, Seat[] seats, int i) {
        if (i == seats.length) {
            for (Seat seat : seats) {
                seat.holder = who;
            }
            return true;
        }
        synchronized (seats[i]) {
            if (seats[i].holder != null && !seats[i].holder.equals(who)) {
                return false;
            }
            return take(who, seats, i + 1);
        }
    }

    @Override
    public String toString() {
        return row + "/" + number;
    }
}
