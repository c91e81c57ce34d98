package text;

import java.util.Locale;

/** Wants to be equal to plain strings as well. */
public final class CaseFree {
    private final String text;

    public CaseFree(String text) {
        this.text = text == null ? "" : text;
    }

    @Override
    public boolean equals(Object o) {
        if (o instanceof CaseFree) {
            return key().equals(((CaseFree) o).key());
        }
        return o instanceof String && key().equals(((String) o).toLowerCase(Locale.ROOT));
    }

    private String key() {
        return text.toLowerCase(Locale.ROOT);
    }

    @Override
    public int hashCode() {
        return key().hashCode();
    }
}
