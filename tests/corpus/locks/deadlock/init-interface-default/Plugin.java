package plug;

/** Has a default method, so that an implementing class initialises it first. */
public interface Plugin {
    Plugin FALLBACK = BasicPlugin.create("fallback");

    String name();

    default int priority() {
        return this == FALLBACK ? Integer.MAX_VALUE : 0;
    }
}
