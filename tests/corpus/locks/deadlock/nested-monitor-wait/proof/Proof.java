import mail.Mailbox;
import support.Race;

public class Proof {
    public static void main(String[] args) throws Exception {
        Race.attempts(() -> {
            Mailbox box = new Mailbox();
            return new Race.Role[] {box::fetch, () -> {
                Thread.sleep(50);
                box.deliver("hello");
            }};
        });
    }
}
