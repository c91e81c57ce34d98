public class Pipe {
    public static void run(Runnable a, Runnable b) {
        if (a != null && b != null) {
            a.run();
            b.run();
        }
    }
}
