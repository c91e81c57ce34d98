import model.Company;
import model.Person;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Company company = new Company();
        Person person = new Person();
        Race.loop(() -> Company.merge(company, person), () -> person.copyReads(company));
    }
}
