package chess;

/** Looks gated, but every player has a gate of its own. */
public class Player {
    private final Object gate = new Object();
    private final Object seat = new Object();
    private final String name;
    private Player opponent;

    public Player(String name) {
        this.name = name;
    }

    public void challenge(Player other) {
        if (other == this) {
            return;
        }
        synchronized (gate) {
            synchronized (seat) {
                synchronized (other.seat) {
                    opponent = other;
                    other.opponent = this;
                }
            }
        }
    }

    public String opponent() {
        synchronized (seat) {
            return opponent == null ? "nobody" : opponent.name;
        }
    }
}
