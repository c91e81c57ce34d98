import lab.Celsius;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Celsius(1), new Celsius(1), new Celsius(Integer.MIN_VALUE));
    }
}
