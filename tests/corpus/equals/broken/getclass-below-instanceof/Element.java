package xml;

/** Adds a stricter test than its superclass has. */
public class Element extends Node {
    public Element(String name) {
        super(name);
    }

    @Override
    public boolean equals(Object o) {
        return o != null && o.getClass() == getClass() && super.equals(o);
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }
}
