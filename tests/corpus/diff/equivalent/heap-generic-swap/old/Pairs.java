public class Pairs {
    public static <A, B> Pair<B, A> swap(Pair<A, B> p) {
        return new Pair<>(p.second, p.first);
    }
}
