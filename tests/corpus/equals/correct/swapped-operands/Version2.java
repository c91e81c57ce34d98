package rel;

/** An unusual but sound shape: negated conditions, one exit, arithmetic instead of branches. */
public final class Version2 implements Comparable<Version2> {
    private final int major;
    private final int minor;
    private final boolean snapshot;

    public Version2(int major, int minor, boolean snapshot) {
        this.major = major;
        this.minor = minor;
        this.snapshot = snapshot;
    }

    @Override
    public boolean equals(Object o) {
        boolean result = o instanceof Version2;
        if (result) {
            Version2 v = (Version2) o;
            int difference = (v.major ^ major) | (minor ^ v.minor);
            result = !(difference != 0 | snapshot != v.snapshot);
        }
        return result;
    }

    @Override
    public int hashCode() {
        return (major << 16) + minor + (snapshot ? 1 : 0);
    }

    @Override
    public int compareTo(Version2 v) {
        if (major != v.major) {
            return v.major < major ? 1 : -1;
        }
        if (minor != v.minor) {
            return v.minor < minor ? 1 : -1;
        }
        return Boolean.compare(v.snapshot, snapshot);
    }
}
