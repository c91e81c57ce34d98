package media;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Walks both lists by the length of the first. */
public final class Playlist {
    private final List<String> tracks = new ArrayList<>();

    public Playlist add(String track) {
        tracks.add(track == null ? "" : track);
        return this;
    }

    @Override
    public boolean equals(Object o) {
        if (o == this) {
            return true;
        }
        if (!(o instanceof Playlist)) {
            return false;
        }
        Iterator<String> theirs = ((Playlist) o).tracks.iterator();
        for (String track : tracks) {
            if (!track.equals(theirs.next())) {
                return false;
            }
        }
        return !theirs.hasNext();
    }

    @Override
    public int hashCode() {
        return tracks.hashCode();
    }
}
