package ds;

import java.util.Objects;

/** A linked list that is walked side by side. */
public final class Stack<T> {
    private static final class Node<T> {
        final T item;
        final Node<T> next;

        Node(T item, Node<T> next) {
            this.item = item;
            this.next = next;
        }
    }

    private Node<T> top;

    public Stack<T> push(T item) {
        top = new Node<>(item, top);
        return this;
    }

    public T pop() {
        if (top == null) {
            return null;
        }
        T item = top.item;
        top = top.next;
        return item;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Stack)) {
            return false;
        }
        Node<?> a = top;
        Node<?> b = ((Stack<?>) o).top;
        while (a != null && b != null) {
            if (a == b) {
                return true;
            }
            if (!Objects.equals(a.item, b.item)) {
                return false;
            }
            a = a.next;
            b = b.next;
        }
        return a == b;
    }

    @Override
    public int hashCode() {
        int h = 1;
        for (Node<T> n = top; n != null; n = n.next) {
            h = 31 * h + Objects.hashCode(n.item);
        }
        return h;
    }
}
