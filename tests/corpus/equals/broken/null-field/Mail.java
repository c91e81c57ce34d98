package mail;

/** The fields are null until somebody sets them. */
public class Mail {
    private String from;
    private String subject = "";

    public void setFrom(String from) {
        this.from = from;
    }

    public void setSubject(String subject) {
        this.subject = subject == null ? "" : subject;
    }

    @Override
    public boolean equals(Object o) {
        if (this == o) {
            return true;
        }
        if (!(o instanceof Mail)) {
            return false;
        }
        Mail m = (Mail) o;
        return subject.equals(m.subject) && from.equals(m.from);
    }

    @Override
    public int hashCode() {
        return subject.hashCode();
    }
}
