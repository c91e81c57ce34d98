package geo;

/** Overrides equals and keeps the record's own hashCode. */
public record Coordinates(double latitude, double longitude) {
    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Coordinates c)) {
            return false;
        }
        return Double.compare(latitude, c.latitude) == 0
                && (Double.compare(longitude, c.longitude) == 0 || Math.abs(latitude) == 90);
    }
}
