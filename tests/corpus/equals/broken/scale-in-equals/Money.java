package money;

import java.math.BigDecimal;

public final class Money implements Comparable<Money> {
    private final BigDecimal amount;

    public Money(String amount) {
        this.amount = new BigDecimal(amount);
    }

    @Override
    public int compareTo(Money m) {
        return amount.compareTo(m.amount);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Money && amount.equals(((Money) o).amount);
    }

    @Override
    public int hashCode() {
        return amount.hashCode();
    }
}
