package crypt;

import java.math.BigInteger;

/** The one point at infinity has no coordinates and equals itself alone. */
public final class CurvePoint {
    public static final CurvePoint INFINITY = new CurvePoint();

    private final BigInteger x;
    private final BigInteger y;

    private CurvePoint() {
        x = null;
        y = null;
    }

    public CurvePoint(BigInteger x, BigInteger y) {
        if (x == null || y == null) {
            throw new NullPointerException("coordinate");
        }
        this.x = x;
        this.y = y;
    }

    @Override
    public boolean equals(Object o) {
        if (this == o) {
            return true;
        }
        if (this == INFINITY) {
            return false;
        }
        return o instanceof CurvePoint && x.equals(((CurvePoint) o).x) && y.equals(((CurvePoint) o).y);
    }

    @Override
    public int hashCode() {
        return this == INFINITY ? 0 : x.hashCode() ^ y.hashCode();
    }
}
