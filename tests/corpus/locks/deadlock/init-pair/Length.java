package units;

public final class Length {
    public static final Length METRE = Units.define("m", 1000);
    public static final Length KILOMETRE = Units.define("km", 1_000_000);

    private final String symbol;
    private final long millimetres;

    Length(String symbol, long millimetres) {
        this.symbol = symbol;
        this.millimetres = millimetres;
    }

    public String symbol() {
        return symbol;
    }

    public long in(Length other) {
        return millimetres / other.millimetres;
    }
}
