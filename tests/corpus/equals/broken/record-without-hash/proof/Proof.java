import geo.Coordinates;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Coordinates(90, 10), new Coordinates(90, 20), new Coordinates(0, 0), new Coordinates(Double.NaN, 1));
    }
}
