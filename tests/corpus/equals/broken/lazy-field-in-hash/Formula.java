package calc;

/** The hash looks at a field that is filled when the formula is first shown. */
public final class Formula {
    private final int a;
    private final int b;
    private String shown;

    public Formula(int a, int b) {
        this.a = a;
        this.b = b;
    }

    public String show() {
        if (shown == null) {
            shown = a + "+" + b;
        }
        return shown;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Formula && a == ((Formula) o).a && b == ((Formula) o).b;
    }

    @Override
    public int hashCode() {
        return shown == null ? 31 * a + b : shown.hashCode();
    }
}
