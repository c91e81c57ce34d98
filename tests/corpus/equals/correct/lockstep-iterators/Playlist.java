package media;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Walks both lists side by side and asks both whether there is more. */
public final class Playlist {
    private final List<String> tracks = new ArrayList<>();
    private int played;

    public Playlist add(String track) {
        tracks.add(track);
        return this;
    }

    public String play() {
        return played < tracks.size() ? tracks.get(played++) : null;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Playlist)) {
            return false;
        }
        Iterator<String> mine = tracks.iterator();
        Iterator<String> theirs = ((Playlist) o).tracks.iterator();
        while (mine.hasNext() && theirs.hasNext()) {
            String a = mine.next();
            String b = theirs.next();
            if (a == null ? b != null : !a.equals(b)) {
                return false;
            }
        }
        return mine.hasNext() == theirs.hasNext();
    }

    @Override
    public int hashCode() {
        int h = 1;
        for (String track : tracks) {
            h = 31 * h + (track == null ? 0 : track.hashCode());
        }
        return h;
    }
}
