public class Year {
    public static int days(int year) {
        if ((year & 3) != 0) {
            return 365;
        }
        if (year % 25 != 0) {
            return 366;
        }
        return (year & 15) == 0 ? 366 : 365;
    }
}
