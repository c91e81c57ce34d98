package book;

public final class Isbn implements Comparable<Isbn> {
    private final long digits;

    private Isbn(long digits) {
        this.digits = digits;
    }

    public static Isbn parse(String text) {
        long digits = 0;
        for (char c : text.toCharArray()) {
            if (c >= '0' && c <= '9') {
                digits = digits * 10 + (c - '0');
            }
        }
        return new Isbn(digits);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Isbn && ((Isbn) o).digits == digits;
    }

    @Override
    public int compareTo(Isbn o) {
        return Long.compare(digits, o.digits);
    }
}
