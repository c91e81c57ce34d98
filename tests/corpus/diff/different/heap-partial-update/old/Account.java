public final class Account {
    public int cents;
}
