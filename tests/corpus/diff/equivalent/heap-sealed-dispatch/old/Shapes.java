public class Shapes {
    public static int area(Shape s) {
        return s.area();
    }
}
