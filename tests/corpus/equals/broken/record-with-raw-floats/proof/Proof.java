import audio.Gain;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Gain(0f, -0f), new Gain(-0f, 0f), new Gain(Float.NaN, 1), new Gain(1, 1));
    }
}
