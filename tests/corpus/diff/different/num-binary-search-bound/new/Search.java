public class Search {
    public static int in(int[] a, int key) {
        int low = 0;
        int high = a.length - 1;
        while (low < high) {
            int mid = low + high >>> 1;
            if (a[mid] == key) {
                return mid;
            }
            if (a[mid] < key) {
                low = mid + 1;
            } else {
                high = mid - 1;
            }
        }
        return -1;
    }
}
