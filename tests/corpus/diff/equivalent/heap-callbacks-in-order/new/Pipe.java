import java.util.function.IntUnaryOperator;

public class Pipe {
    public static int run(Runnable before, IntUnaryOperator op, int x) {
        before.run();
        IntUnaryOperator next = y -> y + 1;
        for (int i = 0; i < 2; i++) {
            x = op.applyAsInt(i == 0 ? x : next.applyAsInt(x));
        }
        return x;
    }
}
