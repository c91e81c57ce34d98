package chain;

/** Lock coupling along a chain that has one direction; nodes never leave it or change places. */
public final class SortedChain {
    private static final class Node {
        final int key;
        Node next;

        Node(int key, Node next) {
            this.key = key;
            this.next = next;
        }
    }

    private final Node head = new Node(Integer.MIN_VALUE, null);

    public boolean add(int key) {
        return add(head, key);
    }

    private static boolean add(Node node, int key) {
        synchronized (node) {
            Node next = node.next;
            if (next == null || next.key > key) {
                node.next = new Node(key, next);
                return true;
            }
            if (next.key == key) {
                return false;
            }
            return add(next, key);
        }
    }

    public int size() {
        return size(head) - 1;
    }

    private static int size(Node node) {
        synchronized (node) {
            return node.next == null ? 1 : 1 + size(node.next);
        }
    }
}
