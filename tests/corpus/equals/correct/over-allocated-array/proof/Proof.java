import nums.IntVector;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        IntVector used = new IntVector().add(1).add(2).add(3).add(4).add(5);
        used.removeLast();
        used.removeLast();
        used.removeLast();
        Contract.judge(used, new IntVector().add(1).add(2), new IntVector(), new IntVector().add(0), new IntVector().add(2).add(1));
    }
}
