package shapes;

public abstract class Shape {
    /** The shape used when a drawing is empty. */
    public static final Shape NONE = new Circle(0);

    private final String label;

    protected Shape(String label) {
        this.label = label;
    }

    public abstract double area();

    public boolean isEmpty() {
        return this == NONE || area() == 0;
    }

    @Override
    public String toString() {
        return label + "(" + area() + ")";
    }
}
