package math;

import java.util.Arrays;

public final class Matrix {
    private final int[][] cells;
    private final String[][] labels;

    public Matrix(int rows, int columns) {
        cells = new int[rows][columns];
        labels = new String[rows][];
    }

    public Matrix set(int row, int column, int value) {
        cells[row][column] = value;
        return this;
    }

    public Matrix label(int row, String... texts) {
        labels[row] = texts == null ? null : texts.clone();
        return this;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Matrix)) {
            return false;
        }
        Matrix m = (Matrix) o;
        if (cells.length != m.cells.length) {
            return false;
        }
        for (int i = 0; i < cells.length; i++) {
            if (!Arrays.equals(cells[i], m.cells[i])) {
                return false;
            }
        }
        return Arrays.deepEquals(labels, m.labels);
    }

    @Override
    public int hashCode() {
        int h = 17;
        for (int[] row : cells) {
            h = 31 * h + Arrays.hashCode(row);
        }
        return h ^ Arrays.deepHashCode(labels);
    }
}
