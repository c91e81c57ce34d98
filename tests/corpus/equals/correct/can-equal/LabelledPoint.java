package draw;

/** Adds nothing that matters, so it may equal plain points. */
public class LabelledPoint extends Point {
    private final String label;

    public LabelledPoint(int x, int y, String label) {
        super(x, y);
        this.label = label;
    }

    public String label() {
        return label;
    }
}
