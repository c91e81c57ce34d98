package money;

import java.math.BigDecimal;

/** BigDecimal minds the scale; the constructor strips it. */
public final class Amount implements Comparable<Amount> {
    private final BigDecimal value;
    private final String currency;

    public Amount(String value, String currency) {
        this.value = new BigDecimal(value).stripTrailingZeros();
        this.currency = currency == null ? "EUR" : currency;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Amount a)) {
            return false;
        }
        return value.equals(a.value) && currency.equals(a.currency);
    }

    @Override
    public int hashCode() {
        return value.hashCode() ^ currency.hashCode();
    }

    @Override
    public int compareTo(Amount a) {
        int order = currency.compareTo(a.currency);
        return order == 0 ? value.compareTo(a.value) : order;
    }
}
