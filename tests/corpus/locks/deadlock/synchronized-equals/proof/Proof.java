import support.Race;
import text.Buffer;

public class Proof {
    public static void main(String[] args) {
        Buffer a = new Buffer().append('x').append('y');
        Buffer b = new Buffer().append('x').append('y');
        Race.loop(() -> a.equals(b), () -> b.equals(a));
    }
}
