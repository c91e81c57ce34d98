/** Pattern switches over sealed types, records, enums and strings. */
class Patterns {
    sealed interface Shape permits Circle, Square, Unit {}
    record Circle(double r) implements Shape {}
    record Square(Circle in, int side) implements Shape {}
    enum Unit implements Shape { ONE, TWO }

    static double area(Shape s) {
        return switch (s) {
            case Circle(double r) when r > 2 -> r;
            case Circle c -> c.r();
            case Square(Circle(var r), int side) when side > r -> side * r;
            case Square q -> q.side();
            case Unit.ONE -> 1;
            case Unit u -> u.ordinal();
        };
    }

    static int any(Object o) {
        return switch (o) {
            case null -> 0;
            case String s when s.isEmpty() -> 1;
            case Integer i when i > 3 -> i;
            case int[] a -> a.length;
            case Unit u -> switch (u) { case ONE -> 1; case TWO -> 2; };
            default -> { if (o instanceof Square(Circle c, int n) && n > 1) yield n; yield -1; }
        };
    }

    static String text(String s) { return switch (s) { case "a", "b" -> "ab"; case null, default -> "z"; }; }
    static int unit(Unit u) { return switch (u) { case ONE -> 1; case null -> 0; case Unit v when v == Unit.TWO -> 3; default -> 2; }; }
}
