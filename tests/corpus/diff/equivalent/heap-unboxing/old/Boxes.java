public class Boxes {
    public static Integer sum(Integer a, Integer b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return a + b;
    }
}
