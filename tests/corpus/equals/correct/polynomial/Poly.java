package math;

/** Coefficients from low to high; the constructor drops the leading zeros. */
public final class Poly implements Comparable<Poly> {
    private final int[] c;
    private final int degree;

    public Poly(int... coefficients) {
        int n = coefficients.length;
        while (n > 0 && coefficients[n - 1] == 0) {
            n--;
        }
        c = new int[n];
        System.arraycopy(coefficients, 0, c, 0, n);
        degree = n - 1;
    }

    public int degree() {
        return degree;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Poly p) || p.degree != degree) {
            return false;
        }
        int i = c.length;
        while (--i >= 0) {
            if (c[i] != p.c[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        int h = degree;
        for (int x : c) {
            h = h * 1_000_003 ^ x;
        }
        return h;
    }

    @Override
    public int compareTo(Poly p) {
        if (degree != p.degree) {
            return degree - p.degree;
        }
        for (int i = degree; i >= 0; i--) {
            if (c[i] != p.c[i]) {
                return c[i] < p.c[i] ? -1 : 1;
            }
        }
        return 0;
    }
}
