package time;

/** Equal modulo twelve for equals; the hash reduces in another way that differs below zero. */
public final class Hour {
    private final int hour;

    public Hour(int hour) {
        this.hour = hour;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Hour && Math.floorMod(hour, 12) == Math.floorMod(((Hour) o).hour, 12);
    }

    @Override
    public int hashCode() {
        return hour % 12;
    }
}
