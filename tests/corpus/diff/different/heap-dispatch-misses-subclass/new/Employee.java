public class Employee {
    public int salary;

    public int pay() {
        return salary;
    }
}
