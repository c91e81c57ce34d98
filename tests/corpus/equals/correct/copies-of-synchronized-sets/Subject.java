package auth;

import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/** Copies the other's synchronized set before comparing, so as not to hold two locks. */
public final class Subject {
    private final Set<String> principals = Collections.synchronizedSet(new HashSet<>());
    private boolean readOnly;

    public Subject grant(String name) {
        if (!readOnly) {
            principals.add(name);
        }
        return this;
    }

    public void close() {
        readOnly = true;
    }

    @Override
    public boolean equals(Object o) {
        if (o == this) {
            return true;
        }
        if (!(o instanceof Subject)) {
            return false;
        }
        Subject that = (Subject) o;
        Set<String> theirs;
        synchronized (that.principals) {
            theirs = new HashSet<>(that.principals);
        }
        return principals.equals(theirs);
    }

    @Override
    public int hashCode() {
        int h = 0;
        synchronized (principals) {
            for (String name : principals) {
                h ^= name == null ? 0 : name.hashCode();
            }
        }
        return h;
    }
}
