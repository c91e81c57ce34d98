package gen;

public final class Named<T> extends Couple<String, T> {
    public Named(String name, T value) {
        super(name, value);
    }
}
