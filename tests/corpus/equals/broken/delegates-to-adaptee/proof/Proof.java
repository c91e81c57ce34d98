import orb.IdDelegate;
import orb.RepositoryId;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        RepositoryId id = new RepositoryId("a");
        Contract.judge(id, new IdDelegate(id), new IdDelegate(id), new IdDelegate(null), new RepositoryId("b"));
    }
}
