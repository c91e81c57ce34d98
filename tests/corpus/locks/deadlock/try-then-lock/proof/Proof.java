import pool.Shard;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Shard a = new Shard();
        Shard b = new Shard();
        Race.loop(() -> a.balance(b), () -> b.balance(a));
    }
}
