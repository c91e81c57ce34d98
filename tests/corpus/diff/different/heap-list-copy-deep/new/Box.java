public final class Box {
    public int value;
}
