package orb;

public final class RepositoryId {
    private final String id;

    public RepositoryId(String id) {
        this.id = id == null ? "" : id;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof RepositoryId && id.equals(((RepositoryId) o).id);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }
}
