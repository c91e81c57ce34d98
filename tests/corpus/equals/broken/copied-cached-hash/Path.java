package fs;

import java.util.Objects;

/** The copy takes the cached hash of the original along. */
public final class Path implements Cloneable {
    private String drive;
    private String name;
    private int hash;

    public Path(String drive, String name) {
        this.drive = drive;
        this.name = name;
    }

    public Path withDrive(String drive) {
        try {
            Path copy = (Path) super.clone();
            copy.drive = drive;
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Path && Objects.equals(drive, ((Path) o).drive) && Objects.equals(name, ((Path) o).name);
    }

    @Override
    public int hashCode() {
        if (hash == 0) {
            hash = Objects.hash(drive, name);
        }
        return hash;
    }
}
