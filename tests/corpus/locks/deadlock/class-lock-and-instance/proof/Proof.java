import support.Race;
import web.Session;

public class Proof {
    public static void main(String[] args) {
        Session session = Session.open();
        Race.loop(() -> {
            session.close();
            session.reopen();
        }, () -> Session.countIdle(5));
    }
}
