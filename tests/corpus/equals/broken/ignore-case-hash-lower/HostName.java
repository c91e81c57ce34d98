package net;

import java.util.Locale;

/** equalsIgnoreCase knows pairs that lower case keeps apart. */
public final class HostName {
    private final String host;
    private final int port;

    public HostName(String host, int port) {
        this.host = host == null ? "localhost" : host;
        this.port = port;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof HostName)) {
            return false;
        }
        HostName h = (HostName) o;
        return port == h.port && host.equalsIgnoreCase(h.host);
    }

    @Override
    public int hashCode() {
        return host.toLowerCase(Locale.ROOT).hashCode() + port;
    }
}
