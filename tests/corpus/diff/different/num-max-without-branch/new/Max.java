public class Max {
    public static int of(int a, int b) {
        int d = a - b;
        return a - (d & d >> 31);
    }
}
