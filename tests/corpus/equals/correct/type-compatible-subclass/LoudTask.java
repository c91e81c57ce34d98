package todo;

public class LoudTask extends Task {
    private Integer hash;

    public LoudTask(String title) {
        super(title, Integer.MAX_VALUE);
    }

    @Override
    public String describe() {
        return title + "!";
    }

    /** Faster for its own kind, the same answer as the inherited one. */
    @Override
    public boolean equals(Object o) {
        if (o instanceof LoudTask) {
            return title.equals(((LoudTask) o).title);
        }
        return super.equals(o);
    }

    @Override
    public int hashCode() {
        if (hash == null) {
            hash = super.hashCode();
        }
        return hash;
    }
}
