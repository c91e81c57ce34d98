package orb;

/** An adapter that lets the adaptee decide. */
public final class IdDelegate {
    private final RepositoryId delegate;

    public IdDelegate(RepositoryId delegate) {
        this.delegate = delegate;
    }

    @Override
    public boolean equals(Object o) {
        if (delegate != null) {
            return delegate.equals(o);
        }
        return super.equals(o);
    }

    @Override
    public int hashCode() {
        return delegate != null ? delegate.hashCode() : super.hashCode();
    }
}
