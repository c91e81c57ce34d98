public final class Cart {
    public Line[] lines;
    public int discount;

    public int total() {
        int rest = -discount;
        for (int i = 0; i < lines.length; i++) {
            rest += cost(lines[i]);
        }
        return rest;
    }

    private static int cost(Line line) {
        return line.count * line.price;
    }
}
