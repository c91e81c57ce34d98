import book.ByTitle;
import book.Volume;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Volume[] pool = {new Volume("a"), new Volume(null), new Volume("b"), new Volume(null)};
        Contract.judge((Object[]) pool);
        Contract.comparator(new ByTitle(), pool);
    }
}
