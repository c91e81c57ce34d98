package lab;

public interface Scale {
    double toBase(double x);
}
