import cal.Day;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(Day.of(2000, 1, 1), Day.of(2000, 1, 1), Day.of(0, 12, 31), Day.of(9999, 12, 31), Day.of(2000, 2, 1), Day.of(1999, 12, 31));
    }
}
