public final class Cart {
    public Line[] lines;
    public Line header;

    public int total() {
        int sum = 0;
        int count = lines.length == 0 ? 0 : header.count;
        for (Line line : lines) {
            line.count++;
            sum += count;
        }
        return sum;
    }
}
