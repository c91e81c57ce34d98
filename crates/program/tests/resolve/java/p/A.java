package p;

public class A {
    String m() { return "p.A.m"; }
}
