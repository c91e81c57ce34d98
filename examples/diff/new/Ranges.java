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
        return (low + high) >>> 1;
    }

    public static int clamp(int value, int low, int high) {
        return value < low ? low : value > high ? high : value;
    }

    public static int sum(int[] values) {
        int sum = 0;
        for (int value : values) {
            sum += value;
        }
        return sum;
    }

    public static void swap(Cell a, Cell b) {
        a.value ^= b.value;
        b.value ^= a.value;
        a.value ^= b.value;
    }

    public static boolean contains(Cell list, int value) {
        for (Cell cell = list; cell != null; cell = cell.next) {
            if (cell.value == value) {
                return true;
            }
        }
        return false;
    }
}
