public class Prefix {
    public static void sums(int[] a) {
        int carry = 0;
        for (int i = 0; i < a.length; i++) {
            carry += a[i];
            a[i] = carry;
        }
    }
}
