package p;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** Every static method without arguments is a case; see main.rs. */
class Cases {
    public static void main(String[] args) throws Exception {
        for (Class<?> cases : new Class<?>[] {Cases.class, q.Cases.class}) {
            run(cases);
        }
    }

    private static void run(Class<?> cases) throws Exception {
        for (Method method : cases.getDeclaredMethods()) {
            if (Modifier.isStatic(method.getModifiers()) && method.getParameterCount() == 0 && !method.isSynthetic()) {
                String answer;
                try {
                    answer = (String) method.invoke(null);
                } catch (InvocationTargetException e) {
                    if (!(e.getCause() instanceof IncompatibleClassChangeError)) {
                        throw e;
                    }
                    answer = "error";
                }
                System.out.println(method.getName() + "=" + answer);
            }
        }
    }

    // Classes override, and inherit what they do not.

    static String overridden() { Base b = new Derived(); return b.m(); }
    static String inherited() { Derived d = new Derived(); return d.n(); }
    static String inheritedThroughTheMiddle() { Base b = new Leaf(); return b.m(); }
    static String abstractAbove() { Abstract a = new Concrete(); return a.m(); }
    static String finalMethod() { Derived d = new Leaf(); return d.f(); }

    // Statics are resolved, never selected.

    static String staticHidden() { return Derived.s(); }
    static String staticInherited() { return Leaf.s(); }
    static String staticOfAnInterface() { return WithDefault.s(); }

    // Bridges.

    static String covariantBridge() { Base b = new Derived(); return (String) b.covariant(); }
    static String genericBridge() { Box<String> b = new StringBox(); return (String) b.take("x"); }
    static String bridgeFromSuperclassForInterface() { Taker<String> t = new TakesByInheritance(); return t.take("x"); }

    // Interfaces.

    static String byInterface() { Plain i = new ImplementsPlain(); return i.m(); }
    static String interfaceMethodFromSuperclass() { Plain i = new InheritsImplementation(); return i.m(); }
    static String objectMethodByInterface() { Plain i = new ImplementsPlain(); return i.toString(); }
    static String objectMethodByInterfaceOfSuperclass() { Plain i = new InheritsImplementation(); return i.toString(); }
    static String defaultMethod() { WithDefault i = new UsesDefault(); return i.d(); }
    static String defaultByClass() { UsesDefault u = new UsesDefault(); return u.d(); }
    static String defaultOverriddenBelow() { WithDefault i = new UsesMoreSpecific(); return i.d(); }
    static String moreSpecificDefaultWins() { WithDefault i = new Diamond(); return i.d(); }
    static String moreSpecificDefaultWinsByClass() { Diamond d = new Diamond(); return d.d(); }
    static String moreSpecificInSuperclassInterfaces() { WithDefault i = new DiamondBelow(); return i.d(); }
    static String classWinsOverDefault() { WithDefault i = new ClassWins(); return i.d(); }
    static String privateOfSuperclassDoesNotCount() { WithDefault i = new BelowPrivate(); return i.d(); }
    static String abstractDiamond() { AbstractDiamond a = new AbstractDiamondBelow(); return a.m(); }
    static String reabstracted() { WithDefault i = new Implements(); return i.d(); }

    // Interfaces that changed after their classes were compiled.

    static String conflictingDefaults() { Later1 i = new ConflictingDefaults(); return i.late(); }
    static String conflictingDefaultsByClass() { ConflictingDefaults c = new ConflictingDefaults(); return c.late(); }
    static String oneDefaultAndOneAbstract() { Later1 i = new DefaultAndAbstract(); return i.late(); }
    static String oneDefaultAndOneAbstractByClass() { DefaultAndAbstract c = new DefaultAndAbstract(); return c.late(); }
    static String oneAbstractAndOneDefaultByClass() { AbstractAndDefault c = new AbstractAndDefault(); return c.late(); }
    static String reabstractedLater() { Later1 i = new ReabstractedLater(); return i.late(); }

    // Private methods of nestmates: resolved, never selected.

    static class Host {
        private String secret() { return "p.Cases$Host.secret"; }
    }
    static class Guest extends Host {
        public String secret() { return "p.Cases$Guest.secret"; }
    }
    interface Hiding {
        private String secret() { return "p.Cases$Hiding.secret"; }
    }
    static class Seeker implements Hiding {
        public String secret() { return "p.Cases$Seeker.secret"; }
    }
    static String privateOfNestmate() { Host h = new Guest(); return h.secret(); }
    static String privateOfInterface() { Hiding h = new Seeker(); return h.secret(); }
    static String publicBesidePrivate() { Guest g = new Guest(); return g.secret(); }

    // Packages: what is not seen is not overridden (JVMS 5.4.5).

    static String samePackage() { A a = new B(); return a.m(); }
    static String otherPackage() { A a = new q.D(); return a.m(); }
    static String otherPackagePublic() { A a = new q.E(); return a.m(); }
    static String throughPublicInBetween() { A a = new q.C(); return a.m(); }
    static String backInTheFirstPackage() { A a = new F(); return a.m(); }
    static String backAndPackagePrivate() { A a = new G(); return a.m(); }
    static String belowThatInheritsOnly() { A a = new H(); return a.m(); }
}
