package theme;

public final class Theme {
    private static final int NUMBER = Skin.register();
    private static final String NAME = "theme" + NUMBER;

    private Theme() {}

    public static String defaultName() {
        return NAME;
    }
}
