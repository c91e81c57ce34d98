import crm.Customer;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Customer(1), new Customer(1), new Customer(1000), new Customer(-129));
    }
}
