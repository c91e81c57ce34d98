package conf;

import java.util.HashMap;
import java.util.Map;

/** All access to the shared values is under the monitor of this class. */
public final class ConfigStore {
    private static final Map<String, String> VALUES = new HashMap<>();

    private ConfigStore() {}

    public static synchronized void put(String key, String value) {
        VALUES.put(key, value);
    }

    static synchronized String get(String key, String fallback) {
        return VALUES.getOrDefault(key, fallback);
    }

    public static synchronized String describe() {
        StringBuilder out = new StringBuilder();
        VALUES.forEach((k, v) -> out.append(k).append('=').append(v).append(';'));
        return out.append("retries=").append(Config.retries()).toString();
    }
}
