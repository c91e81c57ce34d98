package park;

public class Truck extends Vehicle {
    private final int axles;

    public Truck(String plate, int axles) {
        super(plate);
        this.axles = axles;
    }

    @Override
    public int hashCode() {
        return super.hashCode() + axles;
    }
}
