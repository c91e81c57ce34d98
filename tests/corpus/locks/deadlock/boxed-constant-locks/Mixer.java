package port;

public class Mixer {
    private static final Integer MASTER = Integer.valueOf(2);
    private final Integer first = 1;
    private int faders;

    public void mute() {
        synchronized (MASTER) {
            faders = 0;
            settle();
        }
    }

    private void settle() {
        synchronized (first) {
            faders |= 1;
        }
    }

    public int faders() {
        return faders;
    }
}
