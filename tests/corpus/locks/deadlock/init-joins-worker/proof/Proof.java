import support.Race;

public class Proof {
    public static void main(String[] args) throws Exception {
        Race.initialise("warm.Cache");
    }
}
