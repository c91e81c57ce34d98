public interface Listener {
    void changed(int event);
}
