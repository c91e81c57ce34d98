package stock;

public final class Sku implements Comparable<Sku> {
    private final String vendor;
    private final int number;
    private transient boolean hashed;
    private transient int hash;

    public Sku(String vendor, int number) {
        if (vendor == null) {
            throw new IllegalArgumentException("vendor");
        }
        this.vendor = vendor;
        this.number = number;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Sku && compareTo((Sku) o) == 0;
    }

    @Override
    public int hashCode() {
        if (!hashed) {
            hash = vendor.hashCode() * 37 + number;
            hashed = true;
        }
        return hash;
    }

    @Override
    public int compareTo(Sku other) {
        int order = vendor.compareTo(other.vendor);
        return order != 0 ? order : Integer.compare(number, other.number);
    }
}
