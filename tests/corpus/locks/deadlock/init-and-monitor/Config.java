package conf;

public final class Config {
    private static final int RETRIES;
    private static final String HOST;

    static {
        HOST = ConfigStore.get("host", "localhost");
        RETRIES = Integer.parseInt(ConfigStore.get("retries", "3"));
    }

    private Config() {}

    public static int retries() {
        return RETRIES;
    }

    public static String host() {
        return HOST;
    }
}
