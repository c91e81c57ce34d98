public class Month {
    public static int days(int month, boolean leap) {
        int[] table = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
        int days = table[month - 1];
        return leap & month == 2 ? days + 1 : days;
    }
}
