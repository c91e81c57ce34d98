package stats;

import java.util.Arrays;

/** Holds the other's monitor and takes its own, while nobody else can know the new object. */
public final class Samples {
    private double[] values = new double[4];
    private int size;

    public Samples() {}

    public Samples(Samples other) {
        synchronized (other) {
            for (int i = 0; i < other.size; i++) {
                add(other.values[i]);
            }
        }
    }

    public synchronized void add(double value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, 2 * size);
        }
        values[size++] = value;
    }

    public Samples snapshot() {
        synchronized (this) {
            Samples copy = new Samples();
            copy.addAll(values, size);
            return copy;
        }
    }

    private synchronized void addAll(double[] from, int n) {
        for (int i = 0; i < n; i++) {
            add(from[i]);
        }
    }

    public synchronized double mean() {
        double sum = 0;
        for (int i = 0; i < size; i++) {
            sum += values[i];
        }
        return size == 0 ? Double.NaN : sum / size;
    }
}
