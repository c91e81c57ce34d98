package shapes;

public class Circle extends Shape {
    private static int made;

    private final double radius;

    public Circle(double radius) {
        super("circle");
        this.radius = radius;
        made++;
    }

    @Override
    public double area() {
        return Math.PI * radius * radius;
    }

    public static int made() {
        return made;
    }
}
