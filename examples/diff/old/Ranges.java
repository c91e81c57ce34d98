package util;

/** Helpers for ranges and linked cells. */
public final class Ranges {
    /** A cell of a list. */
    public static final class Cell {
        public int value;
        public Cell next;
    }

    private Ranges() {}

    public static int middle(int low, int high) {
        return (low + high) / 2;
    }

    public static int clamp(int value, int low, int high) {
        if (value < low) {
            return low;
        }
        if (value > high) {
            return high;
        }
        return value;
    }

    public static int sum(int[] values) {
        int sum = 0;
        for (int i = 0; i < values.length; i++) {
            sum += values[i];
        }
        return sum;
    }

    public static void swap(Cell a, Cell b) {
        int value = a.value;
        a.value = b.value;
        b.value = value;
    }

    public static boolean contains(Cell list, int value) {
        while (list != null) {
            if (list.value == value) {
                return true;
            }
            list = list.next;
        }
        return false;
    }
}
