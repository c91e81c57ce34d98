package refl;

import java.util.Objects;

public class EntryPoint {
    private final String name;

    public EntryPoint(String name) {
        this.name = name;
    }

    @Override
    public boolean equals(Object o) {
        if (o == null || !(this instanceof EntryPoint)) {
            return false;
        }
        EntryPoint e = (EntryPoint) o;
        return Objects.equals(name, e.name);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(name);
    }
}
