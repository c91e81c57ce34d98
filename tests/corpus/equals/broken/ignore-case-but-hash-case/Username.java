package auth;

public final class Username {
    private final String name;

    public Username(String name) {
        if (name == null || name.isBlank()) {
            throw new IllegalArgumentException("name");
        }
        this.name = name.strip();
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Username && name.equalsIgnoreCase(((Username) o).name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }
}
