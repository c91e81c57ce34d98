package money;

import java.math.BigDecimal;
import java.util.Objects;

public final class Rate {
    private final BigDecimal percent;
    private final String name;

    public Rate(BigDecimal percent, String name) {
        this.percent = Objects.requireNonNull(percent);
        this.name = name;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Rate r)) {
            return false;
        }
        return percent.compareTo(r.percent) == 0 && Objects.equals(name, r.name);
    }

    @Override
    public int hashCode() {
        return Objects.hash(percent, name);
    }
}
