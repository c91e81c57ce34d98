package zoo;

public class Bird extends Animal {
    private final double span;
    private int flights;

    public Bird(String name, double span) {
        super(name);
        this.span = span;
    }

    public void fly() {
        flights++;
    }

    public int flights() {
        return flights;
    }

    @Override
    public boolean equals(Object obj) {
        return super.equals(obj) && Double.doubleToLongBits(span) == Double.doubleToLongBits(((Bird) obj).span);
    }

    @Override
    public int hashCode() {
        return super.hashCode() * 31 + Double.hashCode(span);
    }
}
