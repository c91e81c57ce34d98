package wrap;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/** Wraps a list and compares with other wrappers only. */
public final class Names implements Iterable<String> {
    private final List<String> list;

    private Names(List<String> list) {
        this.list = list;
    }

    public static Names of(String... names) {
        List<String> list = new ArrayList<>();
        Collections.addAll(list, names);
        return new Names(Collections.unmodifiableList(list));
    }

    public Names and(String name) {
        List<String> longer = new ArrayList<>(list);
        longer.add(name);
        return new Names(longer);
    }

    @Override
    public Iterator<String> iterator() {
        return list.iterator();
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Names && list.equals(((Names) o).list);
    }

    @Override
    public int hashCode() {
        return list.hashCode();
    }
}
