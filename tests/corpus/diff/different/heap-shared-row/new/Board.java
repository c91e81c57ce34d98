public class Board {
    public static int[][] make(int size) {
        int n = Math.floorMod(size, 5);
        int[][] rows = new int[n][];
        int[] row = new int[3];
        for (int i = 0; i < n; i++) {
            rows[i] = row;
        }
        return rows;
    }
}
