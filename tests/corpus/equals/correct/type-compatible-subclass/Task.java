package todo;

/** Subclasses add behaviour, no state; all of them compare as tasks. */
public class Task {
    protected final String title;
    protected final int priority;

    public Task(String title, int priority) {
        this.title = title == null ? "" : title;
        this.priority = priority;
    }

    public String describe() {
        return title;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Task && priority == ((Task) o).priority && title.equals(((Task) o).title);
    }

    @Override
    public int hashCode() {
        return title.hashCode() + 31 * priority;
    }
}
