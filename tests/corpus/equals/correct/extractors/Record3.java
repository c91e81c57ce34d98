package lambda;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** Equality as a list of lambdas that fetch what counts. */
public final class Record3 {
    private static final List<Function<Record3, Object>> KEYS = List.of(r -> r.name, r -> r.year, r -> r.rating);

    private final String name;
    private final int year;
    private final Double rating;
    private final String comment;

    public Record3(String name, int year, Double rating, String comment) {
        this.name = name;
        this.year = year;
        this.rating = rating;
        this.comment = comment;
    }

    public String comment() {
        return comment;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Record3)) {
            return false;
        }
        Record3 r = (Record3) o;
        return KEYS.stream().allMatch(key -> Objects.equals(key.apply(this), key.apply(r)));
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(KEYS.stream().map(key -> key.apply(this)).toArray());
    }
}
