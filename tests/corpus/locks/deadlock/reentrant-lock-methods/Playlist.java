package media;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

public class Playlist {
    private final ReentrantLock lock = new ReentrantLock();
    private final List<String> tracks = new ArrayList<>();
    private Player player;

    void begin() {
        lock.lock();
    }

    void end() {
        lock.unlock();
    }

    public void connect(Player player) {
        begin();
        this.player = player;
        end();
    }

    public void add(String track) {
        begin();
        try {
            tracks.add(track);
            if (tracks.size() > 10) {
                tracks.remove(0);
            }
            if (player != null) {
                player.hint(track);
            }
        } finally {
            end();
        }
    }

    String first() {
        begin();
        try {
            return tracks.isEmpty() ? null : tracks.get(0);
        } finally {
            end();
        }
    }
}
