package lab;

public final class Quantity {
    private final long amount;
    private final Unit unit;

    public Quantity(long amount, Unit unit) {
        this.amount = amount;
        this.unit = unit;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Quantity q && amount == q.amount && unit == q.unit;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(amount) + (unit == null ? 0 : unit.ordinal());
    }
}
