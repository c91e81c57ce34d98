package net;

import java.util.Properties;

public class Settings {
    private static final String GUARD = "net.settings";
    private final Properties values = new Properties();

    public void put(String key, String value) {
        synchronized (GUARD) {
            values.setProperty(key, value);
        }
    }

    public String get(String key) {
        synchronized (GUARD) {
            return values.getProperty(key);
        }
    }

    public void applyTo(Routes routes) {
        synchronized ("net.settings") {
            for (String key : values.stringPropertyNames()) {
                routes.add(key, values.getProperty(key));
            }
        }
    }
}
