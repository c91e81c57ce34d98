import java.io.Serializable;
import java.lang.annotation.*;
import java.util.*;
import java.util.function.*;
/** Lambdas, records, sealed types, string concatenation, enums, generics and annotations. */
@Modern.Mark(value = {1, 2}, type = String.class, nested = @Modern.Inner("x"), level = Modern.Level.HIGH)
public sealed interface Modern<T extends Comparable<? super T> & Serializable> permits Modern.Point, Modern.Pair {
    @Retention(RetentionPolicy.RUNTIME) @interface Mark {
        int[] value(); Class<?> type(); Inner nested(); Level level(); String name() default "d"; double d() default 1.5;
    }
    @Retention(RetentionPolicy.CLASS) @interface Inner { String value(); }
    enum Level { LOW { @Override int n() { return 1; } }, HIGH; int n() { return ordinal(); } }
    record Point(@Deprecated int x, long y, double z, String name) implements Modern<String> {
        public Point { if (x < 0) throw new IllegalArgumentException("x" + x + '\u0001' + y); }
    }
    record Pair<A, B>(A a, List<? extends B> b) implements Modern<String> {}
    static int level(Level l) { switch (l) { case LOW: return 1; case HIGH: return 2; default: return 3; } }
    default Supplier<String> lambdas(String text, int[] n) {
        Runnable r = (Runnable & Serializable) () -> n[0]++;
        Function<String, Integer> f = Integer::valueOf;
        BiFunction<Integer, Long, Point> g = (a, b) -> new Point(a, b, 0, text);
        Supplier<List<String>> s = ArrayList::new;
        r.run();
        return () -> text + f.apply("1") + g.apply(1, 2L) + s.get() + 1.5f + 'c' + 7L + null + true;
    }
    static <X extends Throwable> void raise(Throwable t) throws X { @SuppressWarnings("unchecked") X x = (X) t; throw x; }
    static Object local() {
        int base = 3;
        class Local { int get() { return base; } }
        return new Local() { @Override int get() { return super.get() + 1; } };
    }
}
