import support.Contract;
import ui.Window;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Window(), new Window());
        Contract.stable(new Window(), w -> w.setTitle("x"));
    }
}
