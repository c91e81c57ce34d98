public class Boxes {
    public static Integer pick(boolean zero, Integer other) {
        if (zero) {
            return 0;
        }
        return other;
    }
}
