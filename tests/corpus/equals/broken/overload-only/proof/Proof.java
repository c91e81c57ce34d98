import geom.Area;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Area(1, 2), new Area(2, 1));
    }
}
