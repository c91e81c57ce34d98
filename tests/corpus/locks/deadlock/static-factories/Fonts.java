import java.util.HashMap;
import java.util.Map;

public class Fonts {
    private static final Map<String, Integer> SIZES = new HashMap<>();
    private static int defaultSize = 12;

    private Fonts() {}

    public static synchronized void register(String name, int size) {
        SIZES.put(name, size <= 0 ? defaultSize : size);
        Colors.remember(name);
    }

    static synchronized int sizeOf(String name) {
        Integer size = SIZES.get(name);
        return size == null ? defaultSize : size;
    }

    public static synchronized void setDefaultSize(int size) {
        if (size > 0) {
            defaultSize = size;
        }
    }
}
