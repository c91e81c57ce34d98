import part.Left;
import part.Right;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Left left = new Left();
        Right right = new Right();
        Race.loop(() -> left.sum(right, 7), () -> right.learn(left));
    }
}
