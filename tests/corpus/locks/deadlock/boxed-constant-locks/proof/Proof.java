import port.Channels;
import port.Mixer;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Channels channels = new Channels();
        Mixer mixer = new Mixer();
        Race.loop(() -> channels.raise(1), mixer::mute);
    }
}
