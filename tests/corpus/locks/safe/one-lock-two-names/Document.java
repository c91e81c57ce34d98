package edit;

import java.util.ArrayList;
import java.util.List;

/** Text and history are guarded by one object, known to each by another name. */
public final class Document {
    private final Object textLock = new Object();
    private final StringBuilder text = new StringBuilder();
    private final History history = new History(textLock);

    public void insert(String s) {
        synchronized (textLock) {
            text.append(s);
            history.push(s);
        }
    }

    public void undo() {
        history.undo(this);
    }

    void drop(int n) {
        synchronized (textLock) {
            text.setLength(Math.max(0, text.length() - n));
        }
    }

    public int length() {
        synchronized (textLock) {
            return text.length();
        }
    }

    private static final class History {
        private final Object mutex;
        private final List<String> edits = new ArrayList<>();

        History(Object mutex) {
            this.mutex = mutex;
        }

        void push(String s) {
            synchronized (mutex) {
                edits.add(s);
            }
        }

        void undo(Document document) {
            synchronized (mutex) {
                if (!edits.isEmpty()) {
                    document.drop(edits.remove(edits.size() - 1).length());
                }
            }
        }
    }
}
