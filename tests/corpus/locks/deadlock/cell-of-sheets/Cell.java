package sheet;

import java.util.ArrayList;
import java.util.List;

/** Observer and subject in one class: evaluation pulls from inputs, updates push to dependents. */
public abstract class Cell {
    private final List<Cell> dependents = new ArrayList<>();
    protected double cached;
    private boolean dirty = true;

    public synchronized double value() {
        if (dirty) {
            cached = compute();
            dirty = false;
        }
        return cached;
    }

    protected abstract double compute();

    protected final synchronized void addDependent(Cell cell) {
        dependents.add(cell);
    }

    protected synchronized void markDirty() {
        dirty = true;
        for (Cell cell : dependents) {
            cell.markDirty();
        }
    }

    public static final class Constant extends Cell {
        private double constant;

        public synchronized void set(double value) {
            constant = value;
            markDirty();
        }

        @Override
        protected double compute() {
            return constant;
        }
    }

    public static final class Sum extends Cell {
        private final Cell left;
        private final Cell right;

        public Sum(Cell left, Cell right) {
            this.left = left;
            this.right = right;
            left.addDependent(this);
            right.addDependent(this);
        }

        @Override
        protected double compute() {
            return left.value() + right.value();
        }
    }
}
