import support.Contract;
import ui.Label;

public class Proof {
    public static void main(String[] args) {
        Label a = new Label();
        a.setText("a");
        Label b = new Label();
        b.setText("a");
        Contract.judge(a, b, new Label(), new Label());
    }
}
