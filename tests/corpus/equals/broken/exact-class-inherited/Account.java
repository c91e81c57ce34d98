package bank;

/** Compares with the class literal; objects of the subclass are not even equal to themselves. */
public class Account {
    private final int number;

    public Account(int number) {
        this.number = number;
    }

    @Override
    public boolean equals(Object o) {
        if (o == null || o.getClass() != Account.class) {
            return false;
        }
        return number == ((Account) o).number;
    }

    @Override
    public int hashCode() {
        return number;
    }

    public static class Savings extends Account {
        private final int percent;

        public Savings(int number, int percent) {
            super(number);
            this.percent = percent;
        }

        public int percent() {
            return percent;
        }
    }
}
