import auth.Permission;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Permission visited = new Permission(0644);
        visited.visit();
        Contract.judge(visited, new Permission(0644), new Permission(-1), new Permission(0777), new Permission(0), new Permission(512));
        Contract.stable(new Permission(-1), Permission::visit);
    }
}
