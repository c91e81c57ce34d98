import shop.Ticket;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Ticket(0), new Ticket(1L << 32), new Ticket(1L << 31), new Ticket(1), new Ticket(-1L << 31), new Ticket(5));
    }
}
