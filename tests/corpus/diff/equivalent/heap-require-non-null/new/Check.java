import java.util.Objects;

public class Check {
    public static String name(String s, String other) {
        Objects.requireNonNull(other);
        return Objects.equals(Objects.requireNonNull(s, "first"), other) ? "" : s;
    }
}
