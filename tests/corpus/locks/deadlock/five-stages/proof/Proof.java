import build.Stages;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Stages.Stage[] s = {new Stages.Fetch(), new Stages.Parse(), new Stages.Verify(), new Stages.Pack(), new Stages.Sign()};
        Race.Role[] roles = new Race.Role[5];
        for (int i = 0; i < 5; i++) {
            Stages.Stage stage = s[i];
            stage.follow(s[(i + 1) % 5]);
            roles[i] = () -> {
                for (int k = 0; k < 1000; k++) {
                    stage.work();
                }
            };
        }
        Race.loop(roles);
    }
}
