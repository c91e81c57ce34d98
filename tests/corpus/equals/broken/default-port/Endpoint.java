package net;

import java.util.Objects;

/** No port means the default one, to equals only. */
public final class Endpoint {
    private final String host;
    private final int port;

    public Endpoint(String host, int port) {
        this.host = host;
        this.port = port;
    }

    private int effectivePort() {
        return port < 0 ? 80 : port;
    }

    @Override
    public boolean equals(Object o) {
        if (o == this) {
            return true;
        }
        return o instanceof Endpoint e && Objects.equals(host, e.host) && effectivePort() == e.effectivePort();
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(host) * 31 + port;
    }
}
