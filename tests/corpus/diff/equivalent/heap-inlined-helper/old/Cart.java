public final class Cart {
    public Line[] lines;
    public int discount;

    public int total() {
        int sum = 0;
        for (Line line : lines) {
            sum += line.price * line.count;
        }
        return sum - discount;
    }
}
