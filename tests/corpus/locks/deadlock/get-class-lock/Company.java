package model;

public class Company extends Bean {
    private long revenue;

    public long revenue() {
        touch("revenue");
        return revenue;
    }

    public static synchronized Company merge(Company a, Person seller) {
        Company made = new Company();
        made.revenue = a.revenue();
        seller.name();
        return made;
    }
}
