import lab.Quantity;
import lab.Unit;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(Unit.METRE, Unit.YARD, new Quantity(1, Unit.METRE), new Quantity(1, null), new Quantity(1, Unit.METRE),
                new Quantity(Long.MIN_VALUE, Unit.YARD));
    }
}
