import staff.Employee;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Employee("a", "x", 1), new Employee("a", "x", 1), new Employee("a", null, 1), new Employee("a", null, 1),
                new Employee("a", null, Long.MIN_VALUE), new Employee("b", "x", Long.MAX_VALUE), new Employee("a", "y", -1),
                new Employee("", "", 0));
    }
}
