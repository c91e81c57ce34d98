package flow;

/** The skeleton holds the step's monitor; what is done under it is left to subclasses. */
public abstract class Step {
    private int done;

    public final synchronized void execute() {
        before();
        body();
        done++;
    }

    protected void before() {}

    protected abstract void body();

    final synchronized int done() {
        return done;
    }
}
