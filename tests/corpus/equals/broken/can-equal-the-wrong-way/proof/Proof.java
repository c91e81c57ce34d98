import draw.Figure;
import draw.Star;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Figure(1), new Star(1, 5), new Star(1, 6), new Figure(2));
    }
}
