import media.Film;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Film("a", 1991), new Film("a", 1992), new Film(null, 0), new Film("a", 2001));
    }
}
