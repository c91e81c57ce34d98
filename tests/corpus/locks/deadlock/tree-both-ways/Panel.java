package ui;

import java.util.ArrayList;
import java.util.List;

/** Layout goes down from parent to child, invalidation goes up from child to parent. */
public class Panel {
    private final Panel parent;
    private final List<Panel> children = new ArrayList<>();
    private boolean valid;
    private int width;

    public Panel(Panel parent) {
        this.parent = parent;
        if (parent != null) {
            parent.adopt(this);
        }
    }

    private synchronized void adopt(Panel child) {
        children.add(child);
        valid = false;
    }

    public synchronized void layout(int width) {
        this.width = width;
        for (Panel child : children) {
            child.layout(width / children.size());
        }
        valid = true;
    }

    public synchronized void invalidate() {
        valid = false;
        if (parent != null) {
            parent.invalidate();
        }
    }

    public synchronized int width() {
        return valid ? width : -1;
    }
}
