package game;

import java.util.Comparator;
import java.util.Objects;

public final class Score {
    /** Best first; players without a name at the end. */
    public static final class BestFirst implements Comparator<Score> {
        @Override
        public int compare(Score a, Score b) {
            if (a.points != b.points) {
                return a.points > b.points ? -1 : 1;
            }
            if (a.player == null || b.player == null) {
                return a.player == b.player ? 0 : a.player == null ? 1 : -1;
            }
            return a.player.compareTo(b.player);
        }
    }

    private final int points;
    private final String player;

    public Score(int points, String player) {
        this.points = points;
        this.player = player;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Score && points == ((Score) o).points && Objects.equals(player, ((Score) o).player);
    }

    @Override
    public int hashCode() {
        return points + Objects.hashCode(player);
    }
}
