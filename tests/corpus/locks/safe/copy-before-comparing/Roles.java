package auth;

import java.util.HashSet;
import java.util.Set;

/** Compares with a copy that was made under the other's monitor alone. */
public final class Roles {
    private final Set<String> names = new HashSet<>();

    public synchronized void grant(String name) {
        names.add(name);
    }

    private synchronized Set<String> copy() {
        return new HashSet<>(names);
    }

    @Override
    public boolean equals(Object o) {
        if (o == this) {
            return true;
        }
        if (!(o instanceof Roles)) {
            return false;
        }
        Set<String> theirs = ((Roles) o).copy();
        synchronized (this) {
            return names.equals(theirs);
        }
    }

    @Override
    public int hashCode() {
        return copy().hashCode();
    }
}
