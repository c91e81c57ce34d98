package lists;

import java.util.AbstractList;
import java.util.Objects;

/** A list without storage; equality and the hash come from AbstractList. */
public final class Repeated<E> extends AbstractList<E> {
    private final E element;
    private final int times;

    public Repeated(E element, int times) {
        if (times < 0 || times > 100) {
            throw new IllegalArgumentException("times " + times);
        }
        this.element = element;
        this.times = times;
    }

    @Override
    public E get(int index) {
        Objects.checkIndex(index, times);
        return element;
    }

    @Override
    public int size() {
        return times;
    }

    @Override
    public boolean equals(Object o) {
        if (o instanceof Repeated) {
            Repeated<?> r = (Repeated<?>) o;
            return times == r.times && (times == 0 || Objects.equals(element, r.element));
        }
        return super.equals(o);
    }

    @Override
    public int hashCode() {
        int h = 1;
        int e = Objects.hashCode(element);
        for (int i = 0; i < times; i++) {
            h = 31 * h + e;
        }
        return h;
    }
}
