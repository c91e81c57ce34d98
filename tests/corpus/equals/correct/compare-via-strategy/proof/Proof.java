import fs.FileName;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new FileName("a"), new FileName("a"), new FileName(""), new FileName("A"), new FileName("ab"));
    }
}
