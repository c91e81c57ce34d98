import net.Routes;
import net.Settings;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Settings mine = new Settings();
        mine.put("a", "b");
        Settings other = new Settings();
        Race.loop(() -> mine.applyTo(new Routes()), () -> new Routes().refresh(other, "a"));
    }
}
