package lists;

import java.util.AbstractList;

/** A list that wants more than other lists for equality. */
public final class NamedList extends AbstractList<Integer> {
    private final String name;
    private final int size;

    public NamedList(String name, int size) {
        this.name = name == null ? "" : name;
        this.size = Math.floorMod(size, 10);
    }

    @Override
    public Integer get(int index) {
        return java.util.Objects.checkIndex(index, size);
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof NamedList && name.equals(((NamedList) o).name) && super.equals(o);
    }
}
