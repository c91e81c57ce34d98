package model;

import java.util.Arrays;

/** Equality is final here; subclasses only say what their key is. */
public abstract class Entity implements Comparable<Entity> {
    protected abstract Object[] key();

    protected abstract int rank();

    @Override
    public final boolean equals(Object o) {
        if (o == this) {
            return true;
        }
        if (o == null || o.getClass() != this.getClass()) {
            return false;
        }
        return Arrays.equals(key(), ((Entity) o).key());
    }

    @Override
    public final int hashCode() {
        return rank() * 31 + Arrays.hashCode(key());
    }

    @Override
    public final int compareTo(Entity e) {
        if (rank() != e.rank()) {
            return Integer.compare(rank(), e.rank());
        }
        return compareSame(e);
    }

    abstract int compareSame(Entity e);

    public static final class User extends Entity {
        private final String login;
        private String nick;

        public User(String login) {
            this.login = login == null ? "" : login;
        }

        public void setNick(String nick) {
            this.nick = nick;
        }

        public String nick() {
            return nick;
        }

        @Override
        protected Object[] key() {
            return new Object[] {login};
        }

        @Override
        protected int rank() {
            return 1;
        }

        @Override
        int compareSame(Entity e) {
            return login.compareTo(((User) e).login);
        }
    }

    public static final class Membership extends Entity {
        private final int group;
        private final long since;

        public Membership(int group, long since) {
            this.group = group;
            this.since = since;
        }

        @Override
        protected Object[] key() {
            return new Object[] {group, since};
        }

        @Override
        protected int rank() {
            return 2;
        }

        @Override
        int compareSame(Entity e) {
            Membership m = (Membership) e;
            return group != m.group ? Integer.compare(group, m.group) : Long.compare(since, m.since);
        }
    }
}
