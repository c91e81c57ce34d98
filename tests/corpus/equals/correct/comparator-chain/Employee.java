package staff;

import java.util.Comparator;
import java.util.Objects;

/** The order is a chain of key extractors over exactly what equals compares. */
public final class Employee implements Comparable<Employee> {
    private static final Comparator<Employee> ORDER = Comparator.comparing(Employee::department)
            .thenComparing(Employee::name, Comparator.nullsFirst(Comparator.reverseOrder()))
            .thenComparingLong(e -> e.number);

    private final String department;
    private final String name;
    private final long number;

    public Employee(String department, String name, long number) {
        this.department = Objects.requireNonNull(department);
        this.name = name;
        this.number = number;
    }

    public String department() {
        return department;
    }

    public String name() {
        return name;
    }

    @Override
    public int compareTo(Employee other) {
        return ORDER.compare(this, other);
    }

    @Override
    public boolean equals(Object o) {
        return this == o || o instanceof Employee && ORDER.compare(this, (Employee) o) == 0;
    }

    @Override
    public int hashCode() {
        return Objects.hash(department, name, number);
    }
}
