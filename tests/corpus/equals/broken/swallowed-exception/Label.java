package ui;

/** A missing text makes the comparison fail quietly, also with itself. */
public class Label {
    private String text;

    public void setText(String text) {
        this.text = text;
    }

    @Override
    public boolean equals(Object o) {
        try {
            return text.equals(((Label) o).text);
        } catch (RuntimeException e) {
            return false;
        }
    }

    @Override
    public int hashCode() {
        return text == null ? 0 : text.hashCode();
    }
}
