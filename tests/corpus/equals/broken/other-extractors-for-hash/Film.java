package media;

import java.util.Objects;
import java.util.function.Function;

public final class Film {
    @SuppressWarnings("unchecked")
    private static final Function<Film, Object>[] COMPARED = new Function[] {
        (Function<Film, Object>) f -> f.title, (Function<Film, Object>) f -> f.year / 10
    };
    private static final Function<Film, Object> HASHED = f -> f.title + f.year;

    private final String title;
    private final int year;

    public Film(String title, int year) {
        this.title = title;
        this.year = year;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Film)) {
            return false;
        }
        for (Function<Film, Object> f : COMPARED) {
            if (!Objects.equals(f.apply(this), f.apply((Film) o))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return HASHED.apply(this).hashCode();
    }
}
