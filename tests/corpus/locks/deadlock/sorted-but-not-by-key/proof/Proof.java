import seat.Seat;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Seat a = new Seat(1, 1);
        Seat b = new Seat(1, 2);
        Race.loop(() -> Seat.reserve("x", a, b), () -> Seat.reserve("x", b, a));
    }
}
