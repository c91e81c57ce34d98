public class Julian {
    private static final int GREGORIAN = 15 + 31 * (10 + 12 * 1582);

    public static int day(int month, int day, int year) {
        int jy = year;
        if (jy == 0) {
            throw new IllegalArgumentException("there is no year zero");
        }
        if (jy < 0) {
            ++jy;
        }
        int jm;
        if (month > 2) {
            jm = month + 1;
        } else {
            --jy;
            jm = month + 13;
        }
        int jul = (int) (Math.floor(365.25 * jy) + Math.floor(30.6001 * jm) + day + 1720995);
        if (day + 31 * (month + 12 * year) >= GREGORIAN) {
            int ja = (int) (0.01 * jy);
            jul += 2 - ja + (int) (0.25 * ja);
        }
        return jul;
    }
}
