public class Gcd {
    public static int of(int a, int b) {
        if (b == 0) {
            return a;
        }
        return of(b, a % b);
    }
}
