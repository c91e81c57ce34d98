public class Grid {
    public static long sum(int[][] cells) {
        long sum = 0;
        for (int k = 0; k < 9; k++) {
            int i = k / 3;
            int j = k % 3;
            sum += (2L * j + i) * cells[i][j];
        }
        return sum;
    }
}
