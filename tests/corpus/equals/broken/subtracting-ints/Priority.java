package sched;

public final class Priority implements Comparable<Priority> {
    private final int level;
    private final int deadline;

    public Priority(int level, int deadline) {
        this.level = level;
        this.deadline = deadline;
    }

    @Override
    public int compareTo(Priority p) {
        int d = level - p.level;
        return d != 0 ? d : Integer.compare(deadline, p.deadline);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Priority && level == ((Priority) o).level && deadline == ((Priority) o).deadline;
    }

    @Override
    public int hashCode() {
        return level * 31 + deadline;
    }
}
