package q;

public class D extends p.A {
    String m() { return "q.D.m"; }
}
