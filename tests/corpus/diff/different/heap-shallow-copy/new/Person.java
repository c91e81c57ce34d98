public final class Person {
    public String name;
    public Address address;

    public Person copy() {
        Person p = new Person();
        p.name = name;
        p.address = address;
        return p;
    }
}
