package mail;

import java.util.Objects;

/** A missing pair of parentheses. */
public final class Filter {
    private final String sender;
    private final String subject;
    private final boolean everything;

    public Filter(String sender, String subject, boolean everything) {
        this.sender = sender;
        this.subject = subject;
        this.everything = everything;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Filter)) {
            return false;
        }
        Filter f = (Filter) o;
        return everything && f.everything
                || Objects.equals(sender, f.sender) && Objects.equals(subject, f.subject);
    }

    @Override
    public int hashCode() {
        return 17;
    }
}
