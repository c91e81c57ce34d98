public class Mean {
    public static int of(int a, int b) {
        return (int) (((long) a + b) / 2);
    }
}
