package search;

import java.util.Objects;

public class Query {
    private final String field;
    private final float boost;

    public Query(String field, float boost) {
        this.field = field;
        this.boost = boost;
    }

    @Override
    public boolean equals(Object o) {
        if (getClass() != o.getClass()) {
            return false;
        }
        Query other = (Query) o;
        return Objects.equals(field, other.field) && Float.floatToIntBits(boost) == Float.floatToIntBits(other.boost);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(field) + Float.floatToIntBits(boost);
    }
}
