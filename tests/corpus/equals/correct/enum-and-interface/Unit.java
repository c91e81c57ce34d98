package lab;

import java.util.Locale;

/** Enums keep identity equality, whatever else they declare. */
public enum Unit implements Scale {
    METRE(1.0, "m"),
    YARD(0.9144, "yd") {
        @Override
        public double toBase(double x) {
            return x * factor();
        }
    };

    private final double factor;
    private final String symbol;
    private String cachedLabel;

    Unit(double factor, String symbol) {
        this.factor = factor;
        this.symbol = symbol;
    }

    double factor() {
        return factor;
    }

    @Override
    public double toBase(double x) {
        return x;
    }

    public String label() {
        if (cachedLabel == null) {
            cachedLabel = symbol.toUpperCase(Locale.ROOT);
        }
        return cachedLabel;
    }
}
