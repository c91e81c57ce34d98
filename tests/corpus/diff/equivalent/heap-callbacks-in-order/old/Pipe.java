import java.util.function.IntUnaryOperator;

public class Pipe {
    public static int run(Runnable before, IntUnaryOperator op, int x) {
        before.run();
        int once = op.applyAsInt(x);
        return op.applyAsInt(once + 1);
    }
}
