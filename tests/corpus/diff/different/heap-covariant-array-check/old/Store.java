public class Store {
    public static boolean put(Object[] a, Object value) {
        if (a.length == 0) {
            return false;
        }
        a[0] = value;
        return true;
    }
}
