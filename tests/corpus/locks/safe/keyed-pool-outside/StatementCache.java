package dbpool;

import java.util.HashSet;
import java.util.Set;

public final class StatementCache implements KeyedPool.Factory<StatementCache.Statement> {
    public static final class Statement {
        final String sql;

        Statement(String sql) {
            this.sql = sql;
        }
    }

    private final KeyedPool<Statement> pool = new KeyedPool<>(this);
    private final Set<String> prepared = new HashSet<>();

    public synchronized Statement prepare(String sql) {
        Statement statement = pool.borrow(sql);
        prepared.add(sql);
        return statement;
    }

    public void release(Statement statement) {
        pool.giveBack(statement.sql, statement);
    }

    public int evict(String sql) {
        return pool.evict(sql);
    }

    @Override
    public Statement make(String sql) {
        return new Statement(sql);
    }

    @Override
    public synchronized void destroy(String sql, Statement statement) {
        prepared.remove(sql);
    }
}
