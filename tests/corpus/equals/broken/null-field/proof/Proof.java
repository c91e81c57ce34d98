import mail.Mail;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Mail m = new Mail();
        m.setFrom("a");
        Mail n = new Mail();
        n.setSubject("s");
        Contract.judge(new Mail(), m, n, new Mail());
    }
}
