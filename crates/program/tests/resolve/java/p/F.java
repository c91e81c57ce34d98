package p;

public class F extends q.E {
    public String m() { return "p.F.m"; }
}
