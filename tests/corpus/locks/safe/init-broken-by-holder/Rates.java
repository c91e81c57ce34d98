package money;

public final class Rates {
    private static final int BASE = Integer.parseInt("100");

    private Rates() {}

    static int base() {
        return BASE;
    }

    private static final class Holder {
        static final Currency DEFAULT = Currency.EURO;
    }

    public static Currency defaultCurrency() {
        return Holder.DEFAULT;
    }
}
