package flow;

public class JournalStep extends Step {
    private final Journal journal;
    private final String text;

    public JournalStep(Journal journal, String text) {
        this.journal = journal;
        this.text = text;
        journal.watch(this);
    }

    @Override
    protected void body() {
        journal.write(text);
    }
}
