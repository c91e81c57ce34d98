public class Year {
    public static int days(int year) {
        if (year % 4 != 0) {
            return 365;
        }
        return year % 100 == 0 ? 365 : 366;
    }
}
