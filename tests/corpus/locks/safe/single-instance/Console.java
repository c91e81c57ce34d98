package term;

/** An enum singleton: two instances in two roles cannot exist. */
public enum Console {
    INSTANCE;

    private final StringBuilder screen = new StringBuilder();
    private Console echo;

    public synchronized void print(String line) {
        screen.append(line).append('\n');
        if (echo != null) {
            echo.mark();
        }
    }

    private synchronized void mark() {
        screen.append('*');
    }

    public synchronized void echoTo(Console other) {
        echo = other;
    }

    public synchronized int length() {
        return screen.length();
    }
}
