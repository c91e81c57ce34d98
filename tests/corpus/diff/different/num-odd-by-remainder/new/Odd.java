public class Odd {
    public static boolean is(int x) {
        return x % 2 == 1;
    }
}
