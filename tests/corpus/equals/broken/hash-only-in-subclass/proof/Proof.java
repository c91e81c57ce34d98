import park.Truck;
import park.Vehicle;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Vehicle("a"), new Truck("a", 2), new Truck("a", 3), new Vehicle("b"));
    }
}
