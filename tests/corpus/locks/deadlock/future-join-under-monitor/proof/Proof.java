import quote.Quotes;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Quotes quotes = new Quotes();
        Race.loop(quotes::refresh);
    }
}
