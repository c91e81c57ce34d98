import build.Stages;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Stages.Sign sign = new Stages.Sign();
        Stages.Pack pack = new Stages.Pack(sign);
        Stages.Verify verify = new Stages.Verify(pack);
        Stages.Parse parse = new Stages.Parse(verify);
        Stages.Fetch fetch = new Stages.Fetch(parse);
        sign.closeRing(fetch);
        Race.loop(repeat(fetch::work), repeat(parse::work), repeat(verify::work), repeat(pack::work), repeat(sign::work));
    }

    private static Race.Role repeat(Race.Role role) {
        return () -> {
            for (int i = 0; i < 1000; i++) {
                role.run();
            }
        };
    }
}
