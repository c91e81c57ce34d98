import music.Artist;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Artist("a", 1), new Artist(null, 1), new Artist("b", Integer.MIN_VALUE), new Artist("a", 1));
    }
}
