public class Julian {
    private static final int GREGORIAN = 588829;

    public static int day(int month, int day, int year) {
        if (year == 0) {
            throw new IllegalArgumentException();
        }
        boolean late = month > 2;
        int jy = year < 0 ? year + 1 : year;
        int jm = late ? month + 1 : month + 13;
        if (!late) {
            jy -= 1;
        }
        double days = Math.floor(jy * 365.25) + Math.floor(jm * 30.6001) + day + 1720995;
        int jul = (int) days;
        int stamp = 31 * month + 372 * year + day;
        if (stamp < GREGORIAN) {
            return jul;
        }
        int century = (int) (jy * 0.01);
        return jul + (2 - century + (int) (century * 0.25));
    }
}
