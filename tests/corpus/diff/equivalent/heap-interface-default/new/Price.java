public class Price {
    public static int gross(Taxed t) {
        int net = t.net();
        if (t instanceof Taxed.Book) {
            return net + net * 7 / 100;
        }
        return net * 19 / 100 + net;
    }
}
