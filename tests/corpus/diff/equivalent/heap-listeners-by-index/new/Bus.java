public class Bus {
    public static int fire(Listener[] listeners, int event) {
        final Listener[] all = listeners;
        int called = 0;
        for (int i = 0; i != all.length; ++i) {
            Listener listener = all[i];
            if (listener == null) {
                continue;
            }
            listener.changed(event);
            called += 1;
        }
        return called;
    }
}
