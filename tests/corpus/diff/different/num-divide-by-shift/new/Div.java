public class Div {
    public static int eighth(int x) {
        return x >> 3;
    }
}
