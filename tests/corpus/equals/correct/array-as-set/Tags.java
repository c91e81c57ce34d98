package label;

/** An unsorted array without duplicates, compared as a set. */
public final class Tags {
    private final String[] names = new String[16];
    private int count;

    public boolean add(String name) {
        if (name == null || contains(name) || count == names.length) {
            return false;
        }
        names[count++] = name;
        return true;
    }

    private boolean contains(String name) {
        for (int i = 0; i < count; i++) {
            if (names[i].equals(name)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Tags)) {
            return false;
        }
        Tags t = (Tags) o;
        if (count != t.count) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (!t.contains(names[i])) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += names[i].hashCode();
        }
        return sum;
    }
}
