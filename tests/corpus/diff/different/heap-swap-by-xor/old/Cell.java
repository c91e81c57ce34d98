public final class Cell {
    public int value;
}
