import support.Contract;
import vec.DenseVec;
import vec.PackedVec;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new DenseVec(1, 2), new PackedVec(1, 2), new DenseVec(1, 2), new PackedVec(-1, -2), new DenseVec(0, 0));
    }
}
