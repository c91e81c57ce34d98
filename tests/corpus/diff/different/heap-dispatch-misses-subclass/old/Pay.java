public class Pay {
    public static int of(Employee e) {
        return e.pay();
    }
}
