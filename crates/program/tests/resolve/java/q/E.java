package q;

public class E extends p.A {
    public String m() { return "q.E.m"; }
}
