import paint.Color;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Color("Aa"), new Color("BB"), new Color(null), new Color("red"));
    }
}
