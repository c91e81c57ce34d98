public final class Address {
    public String city;
}
