public class Bus {
    public static int fire(Listener[] listeners, int event) {
        int called = 0;
        for (Listener listener : listeners) {
            if (listener != null) {
                listener.changed(event);
                called++;
            }
        }
        return called;
    }
}
