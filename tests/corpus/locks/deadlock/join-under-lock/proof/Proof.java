import support.Race;
import sync.Uploader;

public class Proof {
    public static void main(String[] args) {
        Uploader uploader = new Uploader();
        Race.loop(() -> {
            uploader.start();
            uploader.stop();
        });
    }
}
