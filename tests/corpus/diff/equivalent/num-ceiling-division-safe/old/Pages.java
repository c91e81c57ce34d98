public class Pages {
    public static int count(int items, int size) {
        if (items <= 0 || size <= 0) {
            return 0;
        }
        return items / size + (items % size == 0 ? 0 : 1);
    }
}
