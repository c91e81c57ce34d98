import media.Playlist;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Playlist played = new Playlist().add("a");
        played.play();
        Contract.judge(played, new Playlist().add("a"), new Playlist(), new Playlist().add(null), new Playlist().add("a").add("b"),
                new Playlist().add(null));
    }
}
