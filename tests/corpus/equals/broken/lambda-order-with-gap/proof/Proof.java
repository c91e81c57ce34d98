import air.Flight;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Flight("a", 3), new Flight("b", 1), new Flight(null, 2), new Flight("a", 3));
    }
}
