public class Light {
    public static int wait(Color c) {
        int[] seconds = {30, 3, 0};
        return seconds[c.ordinal()];
    }
}
