public class Edge {
    public static boolean is(int x) {
        return x == -x && x != 0;
    }
}
