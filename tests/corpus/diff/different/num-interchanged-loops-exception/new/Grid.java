public class Grid {
    public static int first(int[][] cells) {
        int sum = 0;
        for (int j = 0; j < 2; j++) {
            for (int i = 0; i < 2; i++) {
                sum += cells[i][j];
            }
        }
        return sum;
    }
}
