package todo;

public final class Todo implements Comparable<Todo> {
    private final boolean urgent;
    private final String text;

    public Todo(boolean urgent, String text) {
        this.urgent = urgent;
        this.text = text == null ? "" : text;
    }

    @Override
    public int compareTo(Todo t) {
        if (urgent || t.urgent) {
            return urgent ? -1 : 1;
        }
        return text.compareTo(t.text);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Todo && urgent == ((Todo) o).urgent && text.equals(((Todo) o).text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }
}
