package shop;

/** The steps of a walk through the store, with a hash that is computed once. */
public final class Path {
    private final int[] steps;
    private int hash;

    public Path(int... steps) {
        this.steps = steps.clone();
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Path other) || steps.length != other.steps.length) {
            return false;
        }
        for (int i = 0; i < steps.length; i++) {
            if (steps[i] != other.steps[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        if (hash == 0) {
            int result = 1;
            for (int step : steps) {
                result = 31 * result + step;
            }
            hash = result;
        }
        return hash;
    }
}
