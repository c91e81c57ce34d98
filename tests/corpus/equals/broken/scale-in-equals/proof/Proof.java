import money.Money;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Money("1"), new Money("1.0"), new Money("2"));
    }
}
