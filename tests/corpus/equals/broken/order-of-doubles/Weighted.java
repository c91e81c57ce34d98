package rank;

public final class Weighted implements Comparable<Weighted> {
    private final double weight;

    public Weighted(double weight) {
        this.weight = weight;
    }

    @Override
    public int compareTo(Weighted w) {
        if (weight < w.weight) {
            return -1;
        }
        return weight > w.weight ? 1 : 0;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Weighted && Double.compare(weight, ((Weighted) o).weight) == 0;
    }

    @Override
    public int hashCode() {
        return Double.hashCode(weight);
    }
}
