package park;

public class Vehicle {
    private final String plate;

    public Vehicle(String plate) {
        this.plate = plate == null ? "" : plate;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Vehicle && plate.equals(((Vehicle) o).plate);
    }

    @Override
    public int hashCode() {
        return plate.hashCode();
    }
}
