package auth;

/** Only the low nine bits count; the others are a scratch area. */
public final class Permission {
    private static final int MASK = 0777;
    private int mode;

    public Permission(int mode) {
        this.mode = mode;
    }

    public void visit() {
        mode += MASK + 1;
    }

    public int visits() {
        return mode >>> 9;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Permission && ((mode ^ ((Permission) o).mode) & MASK) == 0;
    }

    @Override
    public int hashCode() {
        return mode & MASK;
    }
}
