package ring;

public class Right {
    private final Gate gate;
    private Left left;
    private int value;

    public Right(Gate gate) {
        this.gate = gate;
    }

    public void setLeft(Left left) {
        this.left = left;
    }

    synchronized void add(int amount) {
        value += amount;
    }

    public void pushLeft() {
        gate.pass(this::move);
    }

    /** The short way of those who only want to reset: nobody holds the gate here. */
    public void reset() {
        move();
    }

    private void move() {
        synchronized (this) {
            if (left != null) {
                left.add(value);
            }
            value = 0;
        }
    }
}
