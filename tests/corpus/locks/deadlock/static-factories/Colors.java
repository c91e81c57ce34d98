import java.util.HashMap;
import java.util.Map;

public class Colors {
    private static final Map<String, Integer> RGB = new HashMap<>();

    private Colors() {}

    static synchronized void remember(String name) {
        RGB.putIfAbsent(name, 0);
    }

    public static int contrast(String name) {
        synchronized (Colors.class) {
            Integer rgb = RGB.get(name);
            int base = rgb == null ? 0xffffff : ~rgb;
            return Fonts.sizeOf(name) > 20 ? base : base & 0x7f7f7f;
        }
    }
}
