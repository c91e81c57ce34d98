import book.Isbn;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(Isbn.parse("12-3"), Isbn.parse("123"), Isbn.parse(""));
    }
}
