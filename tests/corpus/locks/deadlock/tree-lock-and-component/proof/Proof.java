import support.Race;
import widget.Button;
import widget.Widget;

public class Proof {
    public static void main(String[] args) {
        Widget panel = new Widget();
        Button button = new Button();
        panel.add(button);
        Race.loop(button::press, () -> panel.setVisible(true));
    }
}
