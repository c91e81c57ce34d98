public class Grid {
    public static int first(int[][] cells) {
        int sum = 0;
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                sum += cells[i][j];
            }
        }
        return sum;
    }
}
