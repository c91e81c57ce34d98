package shop;

/** The constructor lets no NaN in and turns -0.0 into 0.0, so == and the bits agree. */
public final class Price implements Comparable<Price> {
    private final double amount;

    public Price(double amount) {
        if (amount != amount) {
            throw new IllegalArgumentException("not a number");
        }
        this.amount = amount + 0.0;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Price && ((Price) o).amount == amount;
    }

    @Override
    public int hashCode() {
        return Double.hashCode(amount);
    }

    @Override
    public int compareTo(Price p) {
        return amount < p.amount ? -1 : amount > p.amount ? 1 : 0;
    }
}
