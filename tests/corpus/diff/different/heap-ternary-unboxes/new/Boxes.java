public class Boxes {
    public static Integer pick(boolean zero, Integer other) {
        return zero ? 0 : other;
    }
}
