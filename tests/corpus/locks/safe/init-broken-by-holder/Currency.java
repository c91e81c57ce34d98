package money;

/** Needs Rates while it is initialised; Rates needs it only in a holder that is initialised later. */
public final class Currency {
    public static final Currency EURO = new Currency("EUR", Rates.base());

    private final String code;
    private final int base;

    private Currency(String code, int base) {
        this.code = code;
        this.base = base;
    }

    public String code() {
        return code;
    }

    public int base() {
        return base;
    }
}
