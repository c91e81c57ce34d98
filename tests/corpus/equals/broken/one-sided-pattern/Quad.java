package geom;

/** A box recognises squares; a square does not recognise boxes. */
public sealed interface Quad {
    record Square(int side) implements Quad {}

    final class Box implements Quad {
        private final int width;
        private final int height;

        public Box(int width, int height) {
            this.width = width;
            this.height = height;
        }

        @Override
        public boolean equals(Object o) {
            if (o instanceof Square s) {
                return width == s.side() && height == s.side();
            }
            return o instanceof Box b && width == b.width && height == b.height;
        }

        @Override
        public int hashCode() {
            return width == height ? Integer.hashCode(width) : 31 * width + height;
        }
    }
}
