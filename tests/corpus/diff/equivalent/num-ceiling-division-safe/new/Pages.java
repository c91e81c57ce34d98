public class Pages {
    public static int count(int items, int size) {
        return items > 0 && size > 0 ? (items - 1) / size + 1 : 0;
    }
}
