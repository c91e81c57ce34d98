public class Pairs {
    public static <A> Pair<A> swap(Pair<A> p) {
        return new Pair<>(p.second, p.first);
    }
}
