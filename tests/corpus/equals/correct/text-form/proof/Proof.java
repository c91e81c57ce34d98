import net.Route;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Route used = new Route(1, -2, true);
        used.toString();
        Contract.judge(used, new Route(1, -2, true), new Route(1, -2, false), new Route(-1, 2, true), new Route(Integer.MIN_VALUE, 0, false),
                new Route(12, 3, false), new Route(1, 23, false));
    }
}
