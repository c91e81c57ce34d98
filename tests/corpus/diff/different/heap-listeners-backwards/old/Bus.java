public class Bus {
    public static void fire(Listener[] listeners, int event) {
        for (int i = 0; i < listeners.length; i++) {
            listeners[i].changed(event);
        }
    }
}
