import dbpool.KeyedPool;
import dbpool.StatementCache;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        StatementCache cache = new StatementCache();
        KeyedPool<String, StatementCache.Statement> pool = new KeyedPool<>(cache, 10);
        cache.usePool(pool);
        Race.loop(() -> cache.release(cache.prepare("select 1")), pool::evict);
    }
}
