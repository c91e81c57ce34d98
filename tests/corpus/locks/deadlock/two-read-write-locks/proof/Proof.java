import index.Postings;
import index.Terms;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Terms terms = new Terms();
        Postings postings = new Postings();
        terms.add("a");
        postings.post("a");
        Race.loop(() -> terms.prune(postings), () -> postings.restore(terms));
    }
}
