import support.Contract;
import xml.Element;
import xml.Node;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Node("a"), new Element("a"), new Element("a"), new Node(null));
    }
}
