public class Edge {
    public static boolean is(int x) {
        return Math.abs(x) < 0;
    }
}
