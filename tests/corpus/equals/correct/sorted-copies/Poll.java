package vote;

import java.util.Arrays;

/** Votes in any order: both sides are sorted into copies before they are compared. */
public final class Poll {
    private final int[] votes;

    public Poll(int... votes) {
        this.votes = votes.clone();
    }

    private int[] sorted() {
        int[] copy = votes.clone();
        Arrays.sort(copy);
        return copy;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Poll && Arrays.equals(sorted(), ((Poll) o).sorted());
    }

    @Override
    public int hashCode() {
        int sum = 0;
        int product = 1;
        for (int vote : votes) {
            sum += vote;
            product *= vote | 1;
        }
        return sum ^ product;
    }
}
