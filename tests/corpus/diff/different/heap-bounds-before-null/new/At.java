public class At {
    public static int pick(String[] a, int i) {
        if (a[0] == null) {
            throw new NullPointerException("first");
        }
        return a[i].length();
    }
}
