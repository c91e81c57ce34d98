package puzzle;

/** Beads in a ring: rotations are equal. The least rotation is found when the ring is made. */
public final class Necklace {
    private final String least;

    public Necklace(String beads) {
        String best = beads;
        for (int i = 1; i < beads.length(); i++) {
            String turned = beads.substring(i) + beads.substring(0, i);
            if (turned.compareTo(best) < 0) {
                best = turned;
            }
        }
        least = best;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Necklace && least.equals(((Necklace) o).least);
    }

    @Override
    public int hashCode() {
        return least.hashCode();
    }

    @Override
    public String toString() {
        return least;
    }
}
