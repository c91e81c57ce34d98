package shop;

/** The code of an article; suppliers write it in upper or lower case. */
public final class Sku {
    private final String code;

    public Sku(String code) {
        if (code == null) {
            throw new IllegalArgumentException("code");
        }
        this.code = code;
    }

    @Override
    public boolean equals(Object o) {
        if (o instanceof Sku) {
            return code.equalsIgnoreCase(((Sku) o).code);
        }
        if (o instanceof String) {
            return code.equalsIgnoreCase((String) o);
        }
        return false;
    }

    @Override
    public int hashCode() {
        return code.hashCode();
    }

    @Override
    public String toString() {
        return code;
    }
}
