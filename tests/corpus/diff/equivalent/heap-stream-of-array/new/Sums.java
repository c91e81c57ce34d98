import java.util.stream.IntStream;

public class Sums {
    public static int positive(int[] a) {
        return IntStream.of(a).filter(x -> x > 0).sum();
    }
}
