import support.Contract;
import sys.Handle;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Handle(1), new Handle(1), new Handle(2));
    }
}
