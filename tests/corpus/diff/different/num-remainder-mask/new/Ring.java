public class Ring {
    public static int slot(int position) {
        return position & 15;
    }
}
