import db.Cursor;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Cursor(1), new Cursor(1));
    }
}
