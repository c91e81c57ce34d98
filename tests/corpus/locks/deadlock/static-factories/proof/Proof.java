import support.Race;

public class Proof {
    public static void main(String[] args) {
        Race.loop(() -> Fonts.register("x", 3), () -> Colors.contrast("x"));
    }
}
