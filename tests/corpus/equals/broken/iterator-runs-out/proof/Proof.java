import media.Playlist;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Playlist().add("a"), new Playlist().add("a").add("b"), new Playlist(), new Playlist().add("b"));
    }
}
