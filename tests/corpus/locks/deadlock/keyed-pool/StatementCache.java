package dbpool;

import java.util.HashSet;
import java.util.Set;

/** One per connection: keeps prepared statements in a pool of which it is the factory, too. */
public class StatementCache implements KeyedPool.Factory<String, StatementCache.Statement> {
    public static final class Statement {
        private final String sql;
        private boolean closed;

        Statement(String sql) {
            this.sql = sql;
        }

        public String sql() {
            return sql;
        }
    }

    private final Set<String> prepared = new HashSet<>();
    private KeyedPool<String, Statement> pool;
    private int destroyed;

    public synchronized void usePool(KeyedPool<String, Statement> pool) {
        this.pool = pool;
    }

    public synchronized Statement prepare(String sql) {
        if (pool == null) {
            return new Statement(sql);
        }
        Statement statement = pool.borrow(normalize(sql));
        prepared.add(statement.sql());
        return statement;
    }

    public void release(Statement statement) {
        pool.giveBack(statement.sql(), statement);
    }

    @Override
    public Statement make(String sql) {
        return new Statement(sql);
    }

    @Override
    public boolean validate(Statement statement) {
        return !statement.closed;
    }

    @Override
    public void destroy(String sql, Statement statement) {
        synchronized (this) {
            statement.closed = true;
            prepared.remove(sql);
            destroyed++;
        }
    }

    private static String normalize(String sql) {
        return sql.trim();
    }
}
