package music;

import java.util.Comparator;
import java.util.Objects;

public record Song(String title, String artist, int seconds) implements Comparable<Song> {
    private static final Comparator<Song> ORDER = Comparator.comparing(Song::title).thenComparing(Song::artist);

    public Song {
        Objects.requireNonNull(title);
        Objects.requireNonNull(artist);
    }

    @Override
    public int compareTo(Song s) {
        return ORDER.compare(this, s);
    }
}
