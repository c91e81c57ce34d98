package docs;

import java.util.Arrays;
import java.util.Objects;

/** Compares the hash codes first to get out early. */
public class Document {
    private final String title;
    private final char[] body;
    private final int hash;

    public Document(String title, String body) {
        this.title = title;
        this.body = body.toCharArray();
        this.hash = Objects.hashCode(title) * 31 + Arrays.hashCode(this.body);
    }

    public char charAt(int i) {
        return body[i];
    }

    @Override
    public final int hashCode() {
        return hash;
    }

    @Override
    public final boolean equals(Object o) {
        if (!(o instanceof Document)) {
            return false;
        }
        if (o.hashCode() != hashCode()) {
            return false;
        }
        Document d = (Document) o;
        return Objects.equals(title, d.title) && Arrays.equals(body, d.body);
    }
}
