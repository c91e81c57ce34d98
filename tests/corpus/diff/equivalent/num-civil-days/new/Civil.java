public class Civil {
    public static long days(int year, int month, int day) {
        long y = year;
        int m = month - 3;
        if (month <= 2) {
            y--;
            m += 12;
        }
        long era = Math.floorDiv(y, 400L);
        long yoe = Math.floorMod(y, 400L);
        long doy = day + ((153L * m + 2) / 5 - 1);
        return 146097 * era - 719468 + doy + 365 * yoe + yoe / 4 - yoe / 100;
    }
}
