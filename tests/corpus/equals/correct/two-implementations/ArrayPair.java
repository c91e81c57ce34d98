package pairs;

import java.util.Arrays;

public final class ArrayPair implements Pair {
    private final int[] halves;

    public ArrayPair(int first, int second) {
        halves = new int[] {second, first};
    }

    @Override
    public int first() {
        return halves[1];
    }

    @Override
    public int second() {
        return halves[0];
    }

    @Override
    public boolean equals(Object o) {
        if (o instanceof ArrayPair a) {
            return Arrays.equals(halves, a.halves);
        }
        return o instanceof Pair p && p.first() == first() && p.second() == second();
    }

    @Override
    public int hashCode() {
        return (first() << 5) - first() + second();
    }
}
