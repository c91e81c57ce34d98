public class Mean {
    public static int of(int a, int b) {
        return (a & b) + ((a ^ b) >> 1);
    }
}
