package tree;

import java.util.ArrayList;
import java.util.List;

/** Every node of a tree locks the one object made by its root, so up and down are the same lock. */
public final class Outline {
    private final Object lock;
    private final Outline parent;
    private final List<Outline> children = new ArrayList<>();
    private String title;
    private int version;

    public Outline(String title) {
        this.title = title;
        this.parent = null;
        this.lock = new Object();
    }

    private Outline(Outline parent, String title) {
        this.title = title;
        this.parent = parent;
        this.lock = parent.lock;
    }

    public Outline add(String title) {
        synchronized (lock) {
            Outline child = new Outline(this, title);
            children.add(child);
            touch();
            return child;
        }
    }

    /** Upwards. */
    private void touch() {
        synchronized (lock) {
            version++;
            if (parent != null) {
                parent.touch();
            }
        }
    }

    public void rename(String title) {
        synchronized (lock) {
            this.title = title;
            touch();
        }
    }

    /** Downwards. */
    public int size() {
        synchronized (lock) {
            int size = 1;
            for (Outline child : children) {
                size += child.size();
            }
            return size;
        }
    }

    public String path() {
        synchronized (lock) {
            return parent == null ? title : parent.path() + "/" + title;
        }
    }
}
