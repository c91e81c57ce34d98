public class Price {
    public static int gross(Taxed t) {
        return t.net() + t.tax();
    }
}
