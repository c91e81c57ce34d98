public class Nan {
    public static int count(double x, float y) {
        int n = 0;
        if (Double.isNaN(x)) {
            n++;
        }
        if (Float.isNaN(y)) {
            n++;
        }
        return n;
    }
}
