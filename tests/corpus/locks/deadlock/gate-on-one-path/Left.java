package ring;

/** Goes through the gate before it takes both locks. */
public class Left {
    private final Gate gate;
    private final Right right;
    int value;

    public Left(Gate gate, Right right) {
        this.gate = gate;
        this.right = right;
    }

    public void pushRight() {
        gate.pass(() -> {
            synchronized (this) {
                right.add(value);
                value = 0;
            }
        });
    }

    synchronized void add(int amount) {
        value += amount;
    }
}
