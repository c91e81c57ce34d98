package lab;

/** Doubles in records are compared by Double.compare, so NaN and -0.0 are as they should be. */
public record Measure(String unit, double value, float error, Measure previous) {
    public Measure(String unit, double value) {
        this(unit, value, 0f, null);
    }

    public Measure next(double value) {
        return new Measure(unit, value, error, this);
    }

    public boolean better(Measure other) {
        return error < other.error;
    }
}
