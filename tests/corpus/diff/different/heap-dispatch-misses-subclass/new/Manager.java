public final class Manager extends Employee {
    public int bonus;

    @Override
    public int pay() {
        return salary + bonus;
    }
}
