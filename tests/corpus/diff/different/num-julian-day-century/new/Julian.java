public class Julian {
    public static int century(int month, int year) {
        int jy = month > 2 ? year : year - 1;
        int ja = (int) Math.floor(0.01 * jy);
        return 2 - ja + (int) (0.25 * ja);
    }
}
