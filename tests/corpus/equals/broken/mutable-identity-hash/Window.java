package ui;

/** Identity equality, but the hash moves with the title. */
public class Window {
    private String title = "";
    private boolean open;

    public void setTitle(String title) {
        this.title = title == null ? "" : title;
    }

    public void open() {
        open = true;
    }

    public boolean isOpen() {
        return open;
    }

    @Override
    public int hashCode() {
        return title.hashCode();
    }
}
