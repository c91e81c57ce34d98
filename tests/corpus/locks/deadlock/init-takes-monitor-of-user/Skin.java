package theme;

/** The registry of skins, guarded by one lock object that lives here. */
public final class Skin {
    static final Object LOCK = new Object();
    private static int registered;

    private final String name;

    public Skin(String name) {
        this.name = name;
    }

    static int register() {
        synchronized (LOCK) {
            return ++registered;
        }
    }

    /** Under the lock it asks the theme, which may not be initialised yet. */
    public boolean isDefault() {
        synchronized (LOCK) {
            return Theme.defaultName().equals(name);
        }
    }
}
