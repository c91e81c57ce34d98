import geo.Angle;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Angle(0), new Angle(360), new Angle(-360), new Angle(-1), new Angle(359), new Angle(Integer.MIN_VALUE),
                new Angle(Integer.MAX_VALUE), new Angle(180), new Angle(-180));
    }
}
