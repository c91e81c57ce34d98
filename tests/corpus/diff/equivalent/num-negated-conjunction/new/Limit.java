public class Limit {
    public static boolean outside(float x, float low, float high) {
        if (high >= x) {
            return !(low <= x);
        }
        return true;
    }
}
