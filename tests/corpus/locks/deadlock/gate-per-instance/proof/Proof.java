import chess.Player;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Player a = new Player("a");
        Player b = new Player("b");
        Race.loop(() -> a.challenge(b), () -> b.challenge(a));
    }
}
