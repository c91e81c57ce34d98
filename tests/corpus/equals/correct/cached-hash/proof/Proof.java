import support.Contract;
import web.UrlPath;

public class Proof {
    public static void main(String[] args) {
        UrlPath warm = new UrlPath("a", "b");
        warm.hashCode();
        Contract.judge(warm, new UrlPath("a", "b"), new UrlPath(), new UrlPath((String) null), new UrlPath("a"),
                new UrlPath("Aa"), new UrlPath("BB"), new UrlPath("b", "a"), new UrlPath("", ""));
    }
}
