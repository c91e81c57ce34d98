public class Order {
    public static boolean less(int a, int b) {
        return a < b;
    }
}
