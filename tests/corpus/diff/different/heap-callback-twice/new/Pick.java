import java.util.function.IntSupplier;

public class Pick {
    public static int larger(IntSupplier s, int limit) {
        return s.getAsInt() > limit ? s.getAsInt() : limit;
    }
}
