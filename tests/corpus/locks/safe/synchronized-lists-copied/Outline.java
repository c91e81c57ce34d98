package docs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Copies the other list under its own mutex first, so that never two are held. */
public final class Outline {
    private final List<String> headings = Collections.synchronizedList(new ArrayList<>());

    public Outline add(String heading) {
        headings.add(heading);
        return this;
    }

    public boolean absorb(Outline other) {
        String[] copy = other.headings.toArray(new String[0]);
        return headings.addAll(Arrays.asList(copy));
    }

    public int size() {
        synchronized (headings) {
            return headings.size();
        }
    }
}
