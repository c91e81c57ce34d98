package calc;

/** Always in lowest terms with a positive denominator; wide enough that comparing does not overflow. */
public final class Fraction implements Comparable<Fraction> {
    private final long numerator;
    private final long denominator;

    public Fraction(int numerator, int denominator) {
        if (denominator == 0) {
            throw new ArithmeticException("denominator is zero");
        }
        long n = numerator;
        long d = denominator;
        if (d < 0) {
            n = -n;
            d = -d;
        }
        long g = gcd(Math.abs(n), d);
        this.numerator = n / g;
        this.denominator = d / g;
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    @Override
    public int compareTo(Fraction o) {
        return Long.compare(numerator * o.denominator, o.numerator * denominator);
    }

    @Override
    public boolean equals(Object o) {
        if (o == null || o.getClass() != Fraction.class) {
            return false;
        }
        Fraction f = (Fraction) o;
        return numerator == f.numerator && denominator == f.denominator;
    }

    @Override
    public int hashCode() {
        return 31 * (int) (numerator ^ numerator >>> 32) + (int) denominator;
    }
}
