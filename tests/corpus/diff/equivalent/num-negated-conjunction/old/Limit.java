public class Limit {
    public static boolean outside(float x, float low, float high) {
        return !(x >= low && x <= high);
    }
}
