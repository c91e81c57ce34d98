public class Shapes {
    public static int area(Shape s) {
        if (s instanceof Shape.Box b) {
            return b.width * b.height;
        }
        if (s instanceof Shape.Line) {
            return 0;
        }
        throw new NullPointerException();
    }
}
