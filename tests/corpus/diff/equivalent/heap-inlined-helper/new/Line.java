public final class Line {
    public int price;
    public int count;
}
