import log.FileAppender;
import log.Logger;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Logger logger = Logger.named("a");
        FileAppender appender = new FileAppender(logger, 10);
        logger.add(appender);
        Race.loop(() -> logger.log(Logger.Level.ERROR, "x"), appender::rollOver);
    }
}
