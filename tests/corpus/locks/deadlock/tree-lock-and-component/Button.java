package widget;

/** Its own state is guarded by its own monitor. */
public class Button extends Widget {
    private boolean pressed;
    private int presses;

    public synchronized void press() {
        if (isShowing()) {
            pressed = true;
            presses++;
        }
    }

    public synchronized void release() {
        pressed = false;
    }

    @Override
    protected void parentShown(boolean shown) {
        synchronized (this) {
            if (!shown) {
                pressed = false;
            }
        }
    }

    public synchronized int presses() {
        return presses;
    }
}
