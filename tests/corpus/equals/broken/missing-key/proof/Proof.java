import music.Song;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Song("a", "b", 1), new Song("a", "b", 2), new Song("a", "c", 1));
    }
}
