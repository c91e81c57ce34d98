package book;

import java.util.Comparator;

/** Both titles missing: each comes before the other. */
public final class ByTitle implements Comparator<Volume> {
    @Override
    public int compare(Volume a, Volume b) {
        if (a.title() == null) {
            return -1;
        }
        if (b.title() == null) {
            return 1;
        }
        return a.title().compareTo(b.title());
    }
}
