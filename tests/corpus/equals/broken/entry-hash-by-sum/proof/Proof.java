import java.util.AbstractMap;
import support.Contract;
import xml.Attribute;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Attribute("a", "a"), new AbstractMap.SimpleEntry<>("a", "a"), new Attribute(null, null), new Attribute("a", "a"));
    }
}
