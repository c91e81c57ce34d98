package p;

public class G extends q.D {
    String m() { return "p.G.m"; }
}
