package dining;

/** Takes the left fork, then the right one: round the table that is a cycle of as many as sit there. */
public final class Philosopher {
    private final Fork left;
    private final Fork right;
    private int meals;

    private Philosopher(Fork left, Fork right) {
        this.left = left;
        this.right = right;
    }

    public static Philosopher[] table(int seats) {
        if (seats < 3) {
            throw new IllegalArgumentException("too small a table");
        }
        Fork[] forks = new Fork[seats];
        for (int i = 0; i < seats; i++) {
            forks[i] = new Fork();
        }
        Philosopher[] table = new Philosopher[seats];
        for (int i = 0; i < seats; i++) {
            table[i] = new Philosopher(forks[i], forks[(i + 1) % seats]);
        }
        return table;
    }

    public void eat() {
        left.use(() -> right.use());
        meals++;
    }

    public int meals() {
        return meals;
    }
}
