import odd.Blob;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Blob a = new Blob();
        a.append((byte) 1);
        Blob b = new Blob();
        b.append((byte) 1);
        Contract.judge(a, b, new Blob(), new Blob());
    }
}
