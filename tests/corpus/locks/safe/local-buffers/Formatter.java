package text;

/** The monitors of two local StringBuffers are taken in both orders; nobody else can have them. */
public final class Formatter {
    private final Object guard = new Object();
    private int formatted;

    public String forward(String head, String tail) {
        StringBuffer a = new StringBuffer(head);
        StringBuffer b = new StringBuffer(tail);
        synchronized (a) {
            a.append(b);
        }
        synchronized (b) {
            b.append(a);
        }
        count();
        return a.toString() + b;
    }

    public String guarded(String line) {
        synchronized (guard) {
            StringBuffer out = new StringBuffer();
            synchronized (out) {
                out.append(line);
                formatted++;
            }
            return out.toString();
        }
    }

    public String unguarded(String line) {
        StringBuffer out = new StringBuffer(line);
        synchronized (out) {
            count();
            out.append(formatted);
        }
        return out.toString();
    }

    private void count() {
        synchronized (guard) {
            formatted++;
        }
    }
}
