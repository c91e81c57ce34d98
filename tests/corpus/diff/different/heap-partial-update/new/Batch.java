public class Batch {
    public static void pay(Account[] accounts, int amount) {
        for (Account a : accounts) {
            if (a.cents < amount) {
                throw new IllegalStateException("not covered");
            }
        }
        for (Account a : accounts) {
            a.cents -= amount;
        }
    }
}
