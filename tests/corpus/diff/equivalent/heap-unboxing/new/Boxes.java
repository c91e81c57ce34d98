public class Boxes {
    public static Integer sum(Integer a, Integer b) {
        if (a != null) {
            return b != null ? Integer.valueOf(b.intValue() + a.intValue()) : a;
        }
        return b;
    }
}
