import html.Tag;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Tag('a'), new Tag('A'), new Tag('I'), new Tag('i'), new Tag('\u0131'), new Tag('\u017f'), new Tag('s'));
    }
}
