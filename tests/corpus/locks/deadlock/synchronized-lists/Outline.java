package docs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The headings are a synchronized list; copying one outline into another locks both lists. */
public class Outline {
    private final List<String> headings = Collections.synchronizedList(new ArrayList<>());

    public Outline add(String heading) {
        headings.add(heading);
        return this;
    }

    public int size() {
        return headings.size();
    }

    public void trim(int limit) {
        synchronized (headings) {
            while (headings.size() > limit) {
                headings.remove(headings.size() - 1);
            }
        }
    }

    public boolean absorb(Outline other) {
        if (other == this) {
            return false;
        }
        return headings.addAll(other.headings);
    }
}
