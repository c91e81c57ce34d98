package auth;

import java.util.Arrays;

/** The secret is a string, bytes or chars; each kind is compared by its own content. */
public final class Credential {
    private final String user;
    private final Object secret;

    public Credential(String user, String secret) {
        this(user, (Object) secret);
    }

    public Credential(String user, byte[] secret) {
        this(user, secret == null ? null : (Object) secret.clone());
    }

    public Credential(String user, char[] secret) {
        this(user, secret == null ? null : (Object) secret.clone());
    }

    private Credential(String user, Object secret) {
        this.user = user == null ? "anonymous" : user;
        this.secret = secret;
    }

    private static boolean same(Object a, Object b) {
        if (a == b) {
            return true;
        }
        if (a instanceof byte[] && b instanceof byte[]) {
            return Arrays.equals((byte[]) a, (byte[]) b);
        }
        if (a instanceof char[] && b instanceof char[]) {
            return Arrays.equals((char[]) a, (char[]) b);
        }
        return a instanceof String && a.equals(b);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Credential c && user.equals(c.user) && same(secret, c.secret);
    }

    @Override
    public int hashCode() {
        int h = user.hashCode();
        if (secret instanceof byte[] bytes) {
            return h + Arrays.hashCode(bytes);
        }
        if (secret instanceof char[] chars) {
            return h - Arrays.hashCode(chars);
        }
        return secret instanceof String ? h ^ secret.hashCode() : h;
    }
}
