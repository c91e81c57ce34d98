package desk;

import java.util.Objects;

/** Orders by severity and calls the rest a tie unless both have a reporter. */
public final class Ticket2 implements Comparable<Ticket2> {
    public enum Severity { LOW, HIGH }

    private final Severity severity;
    private final String reporter;

    public Ticket2(Severity severity, String reporter) {
        this.severity = Objects.requireNonNull(severity);
        this.reporter = reporter;
    }

    @Override
    public int compareTo(Ticket2 t) {
        int order = severity.compareTo(t.severity);
        if (order != 0 || reporter == null || t.reporter == null) {
            return order;
        }
        return reporter.compareTo(t.reporter);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Ticket2 t && severity == t.severity && Objects.equals(reporter, t.reporter);
    }

    @Override
    public int hashCode() {
        return severity.hashCode() + Objects.hashCode(reporter);
    }
}
