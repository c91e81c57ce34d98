public class Clamp {
    public static int to(int x, int low, int high) {
        if (low >= high) {
            return low;
        }
        return x <= low ? low : x >= high ? high : x;
    }
}
