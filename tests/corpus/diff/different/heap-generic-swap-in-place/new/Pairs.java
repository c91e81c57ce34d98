public class Pairs {
    public static <A> Pair<A> swap(Pair<A> p) {
        A first = p.first;
        p.first = p.second;
        p.second = first;
        return p;
    }
}
