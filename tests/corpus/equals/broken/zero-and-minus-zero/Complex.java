package math;

public final class Complex {
    private final double re;
    private final double im;

    public Complex(double re, double im) {
        this.re = re;
        this.im = im;
    }

    public boolean isNaN() {
        return Double.isNaN(re) || Double.isNaN(im);
    }

    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        if (other instanceof Complex) {
            Complex c = (Complex) other;
            return c.isNaN() ? isNaN() : re == c.re && im == c.im;
        }
        return false;
    }

    @Override
    public int hashCode() {
        return isNaN() ? 7 : 37 * (17 * Double.hashCode(im) + Double.hashCode(re));
    }
}
