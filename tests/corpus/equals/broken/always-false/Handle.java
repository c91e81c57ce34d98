package sys;

/** Somebody wanted handles never to be equal. */
public class Handle {
    private final int number;

    public Handle(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    @Override
    public boolean equals(Object o) {
        return false;
    }

    @Override
    public int hashCode() {
        return number;
    }
}
