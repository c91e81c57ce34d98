package call;

/** An area code may be missing: then the rest decides. */
public final class Phone {
    private final String number;

    public Phone(String number) {
        if (number == null || number.isEmpty()) {
            throw new IllegalArgumentException("number");
        }
        this.number = number;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Phone && number.endsWith(((Phone) o).number);
    }

    @Override
    public int hashCode() {
        return number.charAt(number.length() - 1);
    }
}
