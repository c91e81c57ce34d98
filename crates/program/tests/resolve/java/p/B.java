package p;

public class B extends A {
    public String m() { return "p.B.m"; }
}
