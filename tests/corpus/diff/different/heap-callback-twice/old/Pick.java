import java.util.function.IntSupplier;

public class Pick {
    public static int larger(IntSupplier s, int limit) {
        int x = s.getAsInt();
        return x > limit ? x : limit;
    }
}
