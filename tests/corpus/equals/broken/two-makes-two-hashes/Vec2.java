package vec;

public interface Vec2 {
    int x();

    int y();
}
