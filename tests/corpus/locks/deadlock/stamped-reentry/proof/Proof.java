import geo.Track;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Track track = new Track();
        track.add(1);
        track.add(2);
        Race.loop(track::compact);
    }
}
