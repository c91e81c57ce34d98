public class Bus {
    public static void fire(Listener[] listeners, int event) {
        for (int i = listeners.length - 1; i >= 0; i--) {
            listeners[i].changed(event);
        }
    }
}
