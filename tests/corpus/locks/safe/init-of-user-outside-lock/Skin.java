package theme;

/** Asks the theme before it takes the lock, so nobody waits for an initialiser while holding it. */
public final class Skin {
    private static final Object LOCK = new Object();
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

    public boolean isDefault() {
        String wanted = Theme.defaultName();
        synchronized (LOCK) {
            return registered > 0 && wanted.equals(name);
        }
    }
}
