public class Pages {
    public static int count(int items, int size) {
        if (items < 0 || size <= 0) {
            return -1;
        }
        return (items + size - 1) / size;
    }
}
