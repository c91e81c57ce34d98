package mut;

import java.util.Objects;

/** Mutable, with a cached hash that every setter forgets. */
public class Bean {
    private String name;
    private int[] marks = new int[0];
    private int hash;
    private boolean fresh;

    public void setName(String name) {
        this.name = name;
        fresh = false;
    }

    public void setMarks(int... marks) {
        this.marks = marks == null ? new int[0] : marks.clone();
        fresh = false;
    }

    public void setMark(int i, int mark) {
        if (i >= 0 && i < marks.length) {
            marks[i] = mark;
            fresh = false;
        }
    }

    public int[] marks() {
        return marks.clone();
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Bean)) {
            return false;
        }
        Bean b = (Bean) o;
        return Objects.equals(name, b.name) && java.util.Arrays.equals(marks, b.marks);
    }

    @Override
    public int hashCode() {
        if (!fresh) {
            hash = Objects.hashCode(name);
            for (int mark : marks) {
                hash = hash * 7 + mark;
            }
            fresh = true;
        }
        return hash;
    }
}
