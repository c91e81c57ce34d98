package ldap;

import java.util.Locale;

/** Equal by the plain value or by a comparable form that depends on more. */
public final class TypeAndValue {
    private final String value;
    private final boolean caseSensitive;

    public TypeAndValue(String value, boolean caseSensitive) {
        this.value = value == null ? "" : value;
        this.caseSensitive = caseSensitive;
    }

    private String comparable() {
        return caseSensitive ? value : value.toUpperCase(Locale.ENGLISH);
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof TypeAndValue)) {
            return false;
        }
        TypeAndValue that = (TypeAndValue) o;
        return value.equals(that.value) || comparable().equals(that.comparable());
    }

    @Override
    public int hashCode() {
        return value.toUpperCase(Locale.ENGLISH).hashCode();
    }
}
