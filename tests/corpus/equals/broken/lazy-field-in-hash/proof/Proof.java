import calc.Formula;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Formula shown = new Formula(1, 2);
        shown.show();
        Contract.judge(shown, new Formula(1, 2), new Formula(2, 1));
        Contract.stable(new Formula(1, 2), Formula::show);
    }
}
