package game;

import java.util.Arrays;

public final class Board {
    private final char[][] fields;

    public Board(int size) {
        fields = new char[Math.floorMod(size, 20)][Math.floorMod(size, 20)];
    }

    public Board put(int row, int column, char piece) {
        fields[row][column] = piece;
        return this;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Board && Arrays.deepEquals(fields, ((Board) o).fields);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(fields);
    }
}
