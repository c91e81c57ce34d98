public final class Cell {
    public int left;
    public int right;
}
