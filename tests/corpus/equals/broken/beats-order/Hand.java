package game;

/** Rock, paper, scissors is no order. */
public final class Hand implements Comparable<Hand> {
    private final int shape;

    private Hand(int shape) {
        this.shape = shape;
    }

    public static Hand of(String name) {
        switch (name) {
            case "rock":
                return new Hand(0);
            case "paper":
                return new Hand(1);
            case "scissors":
                return new Hand(2);
            default:
                throw new IllegalArgumentException(name);
        }
    }

    @Override
    public int compareTo(Hand h) {
        int d = Math.floorMod(shape - h.shape, 3);
        return d == 2 ? -1 : d;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Hand && shape == ((Hand) o).shape;
    }

    @Override
    public int hashCode() {
        return shape;
    }
}
