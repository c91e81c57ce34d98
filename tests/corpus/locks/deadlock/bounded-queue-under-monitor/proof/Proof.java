import pipe.Exchange;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Exchange exchange = new Exchange(2);
        Race.loop(() -> exchange.send("x"), exchange::receive);
    }
}
