import state.Snapshot;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        int[] mine = {1, 2};
        Snapshot early = new Snapshot(mine);
        mine[0] = 5;
        Contract.judge(early, new Snapshot(new int[] {5, 2}), new Snapshot(null));
    }
}
