import people.Person;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Person used = new Person("A", "B");
        used.displayLength();
        Contract.judge(used, new Person("A", "B"), new Person(null, "B"), new Person("A", null), new Person(null, null),
                new Person("B", "A"));
    }
}
