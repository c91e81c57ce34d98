public class Store {
    public static Object put(Object[] a, int i, Object value) {
        Object before = a[i];
        a[i] = value;
        return before;
    }
}
