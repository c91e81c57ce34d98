public final class Person {
    public String name;
    public Address address;

    public Person copy() {
        Person p = new Person();
        p.name = name;
        if (address != null) {
            p.address = new Address();
            p.address.city = address.city;
        }
        return p;
    }
}
