import media.Player;
import media.Playlist;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Playlist list = new Playlist();
        Player player = new Player(list);
        list.connect(player);
        Race.loop(() -> list.add("t"), player::play);
    }
}
