public class Sat {
    public static int add(int a, int b) {
        long sum = (long) a + b;
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, sum));
    }
}
