import auth.Username;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Username("ann"), new Username("Ann"), new Username(" ann"));
    }
}
