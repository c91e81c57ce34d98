import ring.Gate;
import ring.Left;
import ring.Right;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Gate gate = new Gate();
        Right right = new Right(gate);
        Left left = new Left(gate, right);
        right.setLeft(left);
        Race.loop(left::pushRight, right::reset);
    }
}
