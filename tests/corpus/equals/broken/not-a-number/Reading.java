package lab;

import java.util.Objects;

public class Reading {
    private final String sensor;
    private final float value;

    public Reading(String sensor, float value) {
        this.sensor = sensor;
        this.value = value;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Reading)) {
            return false;
        }
        Reading r = (Reading) o;
        return Objects.equals(sensor, r.sensor) && value == r.value;
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(sensor) + (int) value;
    }
}
