package geom;

/** A sealed hierarchy compared by one method with patterns. */
public sealed abstract class Shape permits Shape.Circle, Shape.Box, Shape.Empty {
    @Override
    public final boolean equals(Object o) {
        if (this == o) {
            return true;
        }
        if (this instanceof Circle a && o instanceof Circle b) {
            return a.radius == b.radius;
        }
        if (this instanceof Box a && o instanceof Box b) {
            return a.width == b.width && a.height == b.height;
        }
        return this instanceof Empty && o instanceof Empty;
    }

    @Override
    public final int hashCode() {
        if (this instanceof Circle c) {
            return c.radius;
        }
        return this instanceof Box b ? 31 * b.width + b.height : 0;
    }

    public static final class Circle extends Shape {
        private final int radius;

        public Circle(int radius) {
            this.radius = radius;
        }
    }

    public static final class Box extends Shape {
        private final int width;
        private final int height;

        public Box(int width, int height) {
            this.width = width;
            this.height = height;
        }
    }

    public static final class Empty extends Shape {}
}
