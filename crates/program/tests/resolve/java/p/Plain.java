package p;

interface Plain { String m(); }

class Base {
    public String m() { return "p.Base.m"; }
    public String n() { return "p.Base.n"; }
    public Object covariant() { return "p.Base.covariant"; }
    static String s() { return "p.Base.s"; }
}
class Derived extends Base {
    public String m() { return "p.Derived.m"; }
    public String covariant() { return "p.Derived.covariant"; }
    final String f() { return "p.Derived.f"; }
    static String s() { return "p.Derived.s"; }
}
class Leaf extends Derived {}

abstract class Abstract { abstract String m(); }
class Concrete extends Abstract { String m() { return "p.Concrete.m"; } }

abstract class Box<T> { abstract Object take(T value); }
class StringBox extends Box<String> { Object take(String value) { return "p.StringBox.take"; } }
interface Taker<T> { String take(T value); }
class TakesString { public String take(String value) { return "p.TakesByInheritance.take"; } }
class TakesByInheritance extends TakesString implements Taker<String> {}

class ImplementsPlain implements Plain {
    public String m() { return "p.ImplementsPlain.m"; }
    public String toString() { return "p.ImplementsPlain.toString"; }
}
class HasImplementation {
    public String m() { return "p.HasImplementation.m"; }
    public String toString() { return "p.HasImplementation.toString"; }
}
class InheritsImplementation extends HasImplementation implements Plain {}

interface WithDefault {
    default String d() { return "p.WithDefault.d"; }
    static String s() { return "p.WithDefault.s"; }
}
interface MoreSpecific extends WithDefault { default String d() { return "p.MoreSpecific.d"; } }
interface Reabstracted extends WithDefault { String d(); }
interface Sibling extends WithDefault {}
class UsesDefault implements WithDefault {}
class UsesMoreSpecific implements MoreSpecific {}
class Diamond implements Sibling, WithDefault, MoreSpecific {}
class SiblingAbove implements Sibling {}
class DiamondBelow extends SiblingAbove implements MoreSpecific {}
class HasD { public String d() { return "p.HasD.d"; } }
class ClassWins extends HasD implements WithDefault {}
class PrivateD { private String d() { return "p.PrivateD.d"; } }
class BelowPrivate extends PrivateD implements WithDefault {}
class Implements implements Reabstracted { public String d() { return "p.Implements.d"; } }

interface Left { String m(); }
interface Right { String m(); }
abstract class AbstractDiamond implements Left, Right {}
class AbstractDiamondBelow extends AbstractDiamond { public String m() { return "p.AbstractDiamondBelow.m"; } }

interface Later1 { default String late() { return "p.Later1.late"; } }
interface Later2 {}
interface Later3 {}
interface Later4 extends Later1 {}
class ConflictingDefaults implements Later1, Later2 {}
class DefaultAndAbstract implements Later1, Later3 {}
class AbstractAndDefault implements Later3, Later1 {}
class ReabstractedLater implements Later4 {}
