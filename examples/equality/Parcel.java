package shop;

/** A parcel, ordered by weight: light ones are delivered first. */
public record Parcel(String id, int grams) implements Comparable<Parcel> {
    @Override
    public int compareTo(Parcel other) {
        return grams - other.grams;
    }
}
