public class Grid {
    public static long sum(int[][] cells) {
        long sum = 0;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                sum += (long) cells[i][j] * (i + 2 * j);
            }
        }
        return sum;
    }
}
