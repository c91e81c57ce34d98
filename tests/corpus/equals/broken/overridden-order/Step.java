package plan;

/** The subclass orders itself before everything, also before its like. */
public class Step implements Comparable<Step> {
    protected final int minute;

    public Step(int minute) {
        this.minute = minute;
    }

    @Override
    public int compareTo(Step s) {
        return Integer.compare(minute, s.minute);
    }

    public static class Urgent extends Step {
        public Urgent(int minute) {
            super(minute);
        }

        @Override
        public int compareTo(Step s) {
            return s instanceof Urgent ? super.compareTo(s) : -1;
        }
    }
}
