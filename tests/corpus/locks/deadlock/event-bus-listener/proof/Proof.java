import bus.CachedView;
import bus.EventBus;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        EventBus bus = new EventBus();
        CachedView view = new CachedView(bus);
        Race.loop(() -> bus.publish("t"), () -> {
            view.open();
            view.dispose();
        });
    }
}
