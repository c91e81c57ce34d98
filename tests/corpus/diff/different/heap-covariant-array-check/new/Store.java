public class Store {
    public static boolean put(Object[] a, Object value) {
        if (a.length == 0 || value != null && !a.getClass().getComponentType().isInstance(value)) {
            return false;
        }
        a[0] = value;
        return true;
    }
}
