package paint;

public final class Names {
    private static final String[] ALL = {"plain", "warm", "cold"};

    private Names() {}

    static String of(int i) {
        return ALL[Math.floorMod(i, ALL.length)];
    }

    public static String defaultName() {
        return Palette.DEFAULT.name();
    }

    public static boolean isDefault(String name) {
        return Palette.DEFAULT.name().equals(name);
    }
}
