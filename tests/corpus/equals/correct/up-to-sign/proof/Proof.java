import geo.Rotation;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        int min = Integer.MIN_VALUE;
        Contract.judge(new Rotation(1, 2, 3), new Rotation(-1, -2, -3), new Rotation(1, -2, 3), new Rotation(0, 0, 0), new Rotation(min, 1, min),
                new Rotation(min, -1, min), new Rotation(min, min, min), new Rotation(-1, 2, -3));
    }
}
