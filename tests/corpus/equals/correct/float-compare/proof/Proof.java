import math.Vec;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Vec(0f, 1), new Vec(-0f, 1), new Vec(Float.NaN, 1), new Vec(Float.intBitsToFloat(0x7fc00001), 1),
                new Vec(Float.POSITIVE_INFINITY, Float.NaN), new Vec(1, -0f), new Vec(1, 0f), new Vec(1, 0f), new Vec(Float.MIN_VALUE, 0));
    }
}
