public class Alert {
    public static int level(int own, int other, int separation, boolean high) {
        if (!high || separation <= 300) {
            return 0;
        }
        boolean below = own < other;
        if (below) {
            return separation < 400 ? 2 : 0;
        }
        return separation >= 400 ? 1 : 0;
    }
}
