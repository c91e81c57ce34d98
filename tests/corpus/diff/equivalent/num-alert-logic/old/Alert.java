public class Alert {
    public static int level(int own, int other, int separation, int rate, boolean high, boolean equipped) {
        boolean above = own > other;
        boolean enabled = high && rate <= 600 && separation > 300;
        boolean tracked = equipped || separation < 1000;
        if (enabled && tracked) {
            if (above && separation >= 400) {
                return 1;
            }
            if (!above && separation < 400) {
                return 2;
            }
            return own == other ? 3 : 0;
        }
        return 0;
    }
}
