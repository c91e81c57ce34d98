package rel;

public class Version {
    protected final int major;

    public Version(int major) {
        this.major = major;
    }

    @Override
    public boolean equals(Object o) {
        return o != null && o.getClass() == getClass() && major == ((Version) o).major;
    }

    @Override
    public int hashCode() {
        return major;
    }

    public static class Dated extends Version {
        private final int day;

        public Dated(int major, int day) {
            super(major);
            this.day = day;
        }

        public boolean equals(Dated d) {
            return d != null && d.major == major && d.day == day;
        }
    }
}
