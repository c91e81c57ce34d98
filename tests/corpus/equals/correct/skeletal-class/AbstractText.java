package text;

/** Any text with the same characters is equal, whatever it is made of. */
public abstract class AbstractText {
    public abstract int length();

    public abstract char at(int i);

    @Override
    public final boolean equals(Object o) {
        if (!(o instanceof AbstractText)) {
            return false;
        }
        AbstractText t = (AbstractText) o;
        int n = length();
        if (n != t.length()) {
            return false;
        }
        for (int i = 0; i < n; i++) {
            if (at(i) != t.at(i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public final int hashCode() {
        int h = 0;
        for (int i = 0; i < length(); i++) {
            h = 31 * h + at(i);
        }
        return h;
    }

    public static final class Plain extends AbstractText {
        private final String s;

        public Plain(String s) {
            this.s = s == null ? "" : s;
        }

        @Override
        public int length() {
            return s.length();
        }

        @Override
        public char at(int i) {
            return s.charAt(i);
        }
    }

    public static final class Run extends AbstractText {
        private final char c;
        private final int times;

        public Run(char c, int times) {
            this.c = c;
            this.times = Math.max(0, Math.min(times, 20));
        }

        @Override
        public int length() {
            return times;
        }

        @Override
        public char at(int i) {
            return c;
        }
    }

    public static final class Joined extends AbstractText {
        private final AbstractText left;
        private final AbstractText right;

        public Joined(AbstractText left, AbstractText right) {
            this.left = left == null ? new Run(' ', 0) : left;
            this.right = right == null ? new Run(' ', 0) : right;
            if ((long) this.left.length() + this.right.length() > 1_000_000) {
                throw new IllegalArgumentException("too long");
            }
        }

        @Override
        public int length() {
            return left.length() + right.length();
        }

        @Override
        public char at(int i) {
            int n = left.length();
            return i < n ? left.at(i) : right.at(i - n);
        }
    }
}
