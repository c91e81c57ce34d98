public class Sign {
    public static int of(int x) {
        if (x > 0) {
            return 1;
        }
        return x == 0 ? 0 : -1;
    }
}
