import conf.Settings;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Settings s = new Settings();
        s.hashCode();
        s.setZoom(50);
        Settings t = new Settings();
        t.setZoom(50);
        Contract.judge(s, t, new Settings());
    }
}
