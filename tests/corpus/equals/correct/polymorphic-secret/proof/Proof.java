import auth.Credential;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Credential("u", "s"), new Credential("u", "s"), new Credential("u", new byte[] {1}),
                new Credential("u", new byte[] {1}), new Credential("u", new char[] {1}), new Credential("u", new char[] {1}),
                new Credential(null, (String) null), new Credential(null, (byte[]) null), new Credential("anonymous", (char[]) null));
    }
}
