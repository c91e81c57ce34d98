package q;

/** Cases that only this package can write: its own package-private methods. */
public class Cases {
    public static String ownPackagePrivate() { D d = new D(); return d.m(); }
    public static String notOverriddenFromTheFirstPackage() { D d = new p.G(); return d.m(); }
    public static String overriddenPublicly() { E e = new p.F(); return e.m(); }
}
