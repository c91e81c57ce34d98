package p.q;
public interface Empty {}
