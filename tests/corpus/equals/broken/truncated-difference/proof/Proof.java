import audio.Level;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Level(0), new Level(0.6), new Level(1.2), new Level(-0.0), new Level(-5));
    }
}
