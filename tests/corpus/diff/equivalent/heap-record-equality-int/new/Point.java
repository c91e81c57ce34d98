public record Point(int x, String name) {}
