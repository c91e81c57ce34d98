public class Store {
    public static Object put(Object[] a, int i, Object value) {
        final Object[] target = a;
        Object before = target[i];
        if (before != value) {
            target[i] = value;
        }
        return before;
    }
}
