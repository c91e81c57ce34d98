package q;

public class C extends p.B {
    public String m() { return "q.C.m"; }
}
