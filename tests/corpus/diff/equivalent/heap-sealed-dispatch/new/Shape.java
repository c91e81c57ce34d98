public sealed interface Shape {
    int area();

    final class Box implements Shape {
        public int width;
        public int height;

        @Override
        public int area() {
            return height * width;
        }
    }

    final class Line implements Shape {
        public int length;

        @Override
        public int area() {
            return 0;
        }
    }
}
