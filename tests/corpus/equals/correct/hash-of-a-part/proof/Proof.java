import book.Contact;
import java.time.LocalDate;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        LocalDate d = LocalDate.of(2000, 1, 1);
        Contract.judge(new Contact("a", null, d, true), new Contact("a", null, LocalDate.of(2000, 1, 1), true), new Contact(null, null, null, true),
                new Contact(null, null, null, false), new Contact(null, "1", null, false), new Contact("a", "1", d, true));
    }
}
