import geo.Axis;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Axis(1, 2), new Axis(-1, -2), new Axis(0, 0), new Axis(3, 0));
    }
}
