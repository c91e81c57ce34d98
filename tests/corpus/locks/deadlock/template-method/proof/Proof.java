import flow.Journal;
import flow.JournalStep;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Journal journal = new Journal();
        JournalStep step = new JournalStep(journal, "x");
        Race.loop(step::execute, journal::finished);
    }
}
