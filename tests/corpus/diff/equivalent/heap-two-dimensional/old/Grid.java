public class Grid {
    public static int[][] transpose(int[][] g) {
        int[][] t = new int[2][2];
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                t[j][i] = g[i][j];
            }
        }
        return t;
    }
}
