import codes.Codes;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Codes.Http.Status(200), new Codes.Mail.Status(200), new Codes.Http.Status(200));
    }
}
