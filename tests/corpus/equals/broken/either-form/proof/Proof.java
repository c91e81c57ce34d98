import ldap.TypeAndValue;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new TypeAndValue("a", true), new TypeAndValue("a", false), new TypeAndValue("A", false), new TypeAndValue("A", true));
    }
}
