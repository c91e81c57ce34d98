import fs.Path;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Path c = new Path("c", "x");
        c.hashCode();
        Contract.judge(c, c.withDrive("d"), new Path("d", "x"), new Path(null, null));
    }
}
