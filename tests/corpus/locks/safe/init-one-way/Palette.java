package paint;

/** Its initialiser needs Names; Names needs this class only later, in a method. */
public final class Palette {
    public static final Palette DEFAULT = new Palette(Names.of(0));

    private final String name;

    private Palette(String name) {
        this.name = name;
    }

    public String name() {
        return name;
    }

    public static Palette named(int i) {
        return new Palette(Names.of(i));
    }
}
