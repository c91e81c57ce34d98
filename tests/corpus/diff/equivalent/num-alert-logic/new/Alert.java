public class Alert {
    public static int level(int own, int other, int separation, int rate, boolean high, boolean equipped) {
        if (!high || rate > 600 || separation <= 300 || !(equipped || separation < 1000)) {
            return 0;
        }
        boolean far = separation >= 400;
        if (far) {
            return other < own ? 1 : other > own ? 0 : 3;
        }
        return own <= other ? 2 : 0;
    }
}
