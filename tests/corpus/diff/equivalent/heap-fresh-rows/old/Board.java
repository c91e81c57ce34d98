public class Board {
    public static int[][] make(int size) {
        int n = size & 3;
        int[][] rows = new int[n][];
        for (int i = 0; i < n; i++) {
            rows[i] = new int[3];
        }
        return rows;
    }
}
