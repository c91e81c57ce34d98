public class Lists {
    public static int sum(Node list) {
        int sum = 0;
        while (list != null) {
            sum += list.value;
            list = list.next;
        }
        return sum;
    }
}
