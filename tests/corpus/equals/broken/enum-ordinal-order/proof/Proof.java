import desk.Ticket2;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Ticket2(Ticket2.Severity.LOW, null), new Ticket2(Ticket2.Severity.LOW, "a"), new Ticket2(Ticket2.Severity.LOW, "b"),
                new Ticket2(Ticket2.Severity.HIGH, null));
    }
}
