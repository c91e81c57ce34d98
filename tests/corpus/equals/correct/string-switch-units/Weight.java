package cook;

import java.util.Objects;

/** Different spellings of a unit are one unit, for equals and for the hash. */
public final class Weight {
    private final int amount;
    private final String unit;

    public Weight(int amount, String unit) {
        this.amount = amount;
        this.unit = Objects.requireNonNull(unit);
    }

    private static int code(String unit) {
        switch (unit) {
            case "g":
            case "gram":
            case "grams":
                return 1;
            case "kg":
            case "kilogram":
                return 2;
            case "lb":
                return 3;
            default:
                return 0;
        }
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Weight)) {
            return false;
        }
        Weight w = (Weight) o;
        return amount == w.amount && code(unit) == code(w.unit);
    }

    @Override
    public int hashCode() {
        return amount * 4 + code(unit);
    }
}
