public class Light {
    public static int wait(Color c) {
        switch (c) {
            case RED:
                return 30;
            case YELLOW:
                return 3;
            default:
                return 0;
        }
    }
}
