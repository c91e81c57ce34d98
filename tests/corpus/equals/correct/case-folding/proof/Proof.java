import http.HeaderName;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new HeaderName("Host"), new HeaderName("hOST"), new HeaderName(null), new HeaderName(""), new HeaderName("I"),
                new HeaderName("i"), new HeaderName("\u0131"), new HeaderName("\u0130"), new HeaderName("\u03c3"), new HeaderName("\u03c2"),
                new HeaderName("\u03a3"), new HeaderName("\u00df"), new HeaderName("\ud801\udc00"), new HeaderName("\ud801\udc28"),
                new HeaderName("K"), new HeaderName("\u212a"));
    }
}
