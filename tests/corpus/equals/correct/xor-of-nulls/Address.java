package people;

/** Null tests by xor before the fields are compared. */
public class Address {
    private String street;
    private String city;
    private Integer number;

    public void setStreet(String street) {
        this.street = street;
    }

    public void setCity(String city) {
        this.city = city;
    }

    public void setNumber(Integer number) {
        this.number = number;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Address)) {
            return false;
        }
        Address a = (Address) o;
        if ((street == null) != (a.street == null)) {
            return false;
        }
        if (city == null ^ a.city == null) {
            return false;
        }
        boolean same = number == null ? a.number == null : number.equals(a.number);
        if (street != null) {
            same &= street.equals(a.street);
        }
        return city != null ? same && city.equals(a.city) : same;
    }

    @Override
    public int hashCode() {
        int h = street == null ? 7 : street.hashCode();
        if (city != null) {
            h ^= city.hashCode() << 1;
        }
        return number == null ? h : h + number;
    }
}
