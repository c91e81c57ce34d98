public class Pairs {
    public static <A, B> Pair<B, A> swap(Pair<A, B> p) {
        A a = p.first;
        Pair<B, A> made = new Pair<>(p.second, null);
        made.second = a;
        return made;
    }
}
