public class Month {
    private static final int[] DAYS = {31, 28, 31, 30, 31, 30, 31, 30, 31, 31, 30, 31};

    public static int days(int month) {
        return DAYS[month - 1];
    }
}
