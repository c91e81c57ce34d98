package media;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

public class Player {
    private final Lock state = new ReentrantLock(true);
    private final Playlist playlist;
    private String current;
    private String next;

    public Player(Playlist playlist) {
        this.playlist = playlist;
    }

    void hint(String track) {
        state.lock();
        try {
            next = track;
        } finally {
            state.unlock();
        }
    }

    public String play() {
        state.lock();
        try {
            current = next != null ? next : playlist.first();
            next = playlist.first();
            return current;
        } finally {
            state.unlock();
        }
    }
}
