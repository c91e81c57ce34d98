package cal;

/** One int holds year, month and day; it is the order, the hash and the equality. */
public final class Day implements Comparable<Day> {
    private final int packed;

    private Day(int packed) {
        this.packed = packed;
    }

    public static Day of(int year, int month, int day) {
        if (year < 0 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31) {
            throw new IllegalArgumentException(year + "-" + month + "-" + day);
        }
        return new Day(year << 9 | month << 5 | day);
    }

    public int year() {
        return packed >> 9;
    }

    public int month() {
        return packed >> 5 & 15;
    }

    public int day() {
        return packed & 31;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Day)) {
            return false;
        }
        Day d = (Day) o;
        return year() == d.year() && month() == d.month() && day() == d.day();
    }

    @Override
    public int hashCode() {
        return packed;
    }

    @Override
    public int compareTo(Day d) {
        return packed - d.packed;
    }
}
