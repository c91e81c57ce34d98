package jury.hang;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Set;

import jury.hang.Values.NotMade;

/**
 * Runs in the JVM that should hang: tries programs for a plan, the likely ones first, until one does.
 * Prints one line: HUNG, DONE or ENDS, then what belongs to it.
 *
 * <p>Arguments: the plan; what to do ({@code search}, {@code only}: one program, {@code solo N}: one role
 * of it alone); the decisions of the program.
 */
public final class Scout {
    /** Programs that are run, and that are thought of. */
    private static final int RUNS = 80;
    private static final int BUILDS = 2500;
    /** Programs whose threads met and went on: after so many, the next will hardly hang. */
    private static final int MEETINGS = 16;
    /** How long a search pauses: milliseconds that are counted, not measured, so that load changes nothing. */
    private static final long PATIENCE = 15_000;
    /** The same where nothing speaks for the plan. */
    private static final long PATIENCE_FOR_HUNCH = 4_000;

    private static final PrintStream OUT = System.out;

    private final Plan plan;
    private Set<String> useful;
    private String best = "";
    private int meetings;
    /** Programs in which those who came first kept the others away. */
    private int keptAway;
    /** Whether all programs that were thought of ran, or enough of them. */
    private boolean isThorough;
    private String problem = "";

    private Scout(Plan plan) {
        this.plan = plan;
    }

    public static void main(String[] args) throws Exception {
        // What judged code prints is not ours.
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(System.out);
        Scout scout = new Scout(Plan.read(Path.of(args[0])));
        String answer = switch (args[1]) {
            case "search" -> scout.search();
            case "only" -> scout.only(Choices.of(args.length > 2 ? args[2] : ""));
            default -> scout.solo(Integer.parseInt(args[2]), Choices.of(args.length > 3 ? args[3] : ""));
        };
        OUT.println("jury-hang " + answer);
        OUT.flush();
        Runtime.getRuntime().halt(0);
    }

    private String search() {
        Choices.Search search = new Choices.Search();
        // A class is initialised once in the life of a JVM, and a program is run once.
        int runs = plan.kind == Plan.Kind.INIT || plan.isProgram ? 1 : RUNS;
        int seen = 0;
        long patience = plan.isHunch ? PATIENCE_FOR_HUNCH : PATIENCE;
        boolean isExhausted = false;
        for (int builds = 0;
                builds < BUILDS && seen < runs && meetings < MEETINGS && Attempt.paused < patience;
                builds++) {
            Choices choices = search.next();
            if (choices == null) {
                isExhausted = true;
                break;
            }
            Builder.Program program = build(choices);
            if (program != null && !plan.isApart(program.arguments())) {
                seen++;
                String answer = run(choices, program);
                if (answer != null) {
                    return answer;
                }
            }
            search.expand(lastTried);
        }
        isThorough = seen >= MEETINGS || isExhausted;
        return best.isEmpty() ? "NONE\t" + problem.replace('\n', ' ').replace('\t', ' ') : done();
    }

    /**
     * With how much speaks against the plan: programs whose threads were about to want the next lock and
     * went on, or kept each other away. Threads that stop where they have the first lock may turn elsewhere;
     * those that should come to the second in the very method that is called, and never do, do not.
     */
    private String done() {
        int against = (plan.isEarly() ? 0 : meetings) + keptAway;
        if (meetings == 0 && isThorough && plan.isPlain()) {
            against = MEETINGS;
        }
        return "DONE\t" + encode(best) + "\t" + against;
    }

    private String only(Choices choices) {
        Builder.Program program = build(choices);
        String answer = program == null ? null : run(choices, program);
        return answer == null ? done() : answer;
    }

    /** Whether a role ends when it has nobody to meet. */
    private String solo(int role, Choices choices) {
        Builder.Program program = build(choices);
        if (program == null) {
            return "DONE\t";
        }
        Thread thread = new Thread(() -> {
            try {
                program.calls().get(role).run();
            } catch (Throwable thrown) {
                // It has ended.
            }
        });
        thread.setDaemon(true);
        thread.start();
        Attempt.join(thread, 5000);
        return thread.isAlive() ? "DONE\t" : "ENDS\t";
    }

    /** The decisions that the last program was built from, with what else could be decided. */
    private Choices lastTried;

    /** In a thread of its own, because the judged code may never return. */
    private Builder.Program build(Choices choices) {
        Builder.Program[] built = new Builder.Program[1];
        lastTried = choices.again();
        Choices tried = lastTried;
        Thread thread = new Thread(() -> {
            try {
                if (useful == null) {
                    Builder trial = new Builder(plan, choices.again());
                    for (int n = 0; n < plan.actors.size(); n++) {
                        trial.actor(n);
                    }
                    useful = Wiring.trial(trial);
                }
                built[0] = new Builder(plan, tried).build(Wiring.of(useful));
            } catch (NotMade missing) {
                problem = missing.getMessage();
            } catch (Throwable thrown) {
                problem = thrown.toString();
            }
        }, "setup");
        thread.setDaemon(true);
        thread.start();
        Attempt.await(thread, 4000);
        if (thread.isAlive()) {
            problem = "making the objects takes too long";
            return null;
        }
        return built[0];
    }

    private String run(Choices choices, Builder.Program program) {
        boolean canReverse = !plan.isProgram && plan.kind == Plan.Kind.LOCKS && plan.roles.size() > 1;
        for (boolean isReversed : canReverse ? new boolean[] {false, true} : new boolean[] {false}) {
            Attempt attempt = new Attempt(plan, program);
            if (attempt.meet(isReversed)) {
                best = program.source();
                meetings++;
                Watch watch = new Watch(plan, attempt.threads);
                if (watch.observe(400) != null) {
                    Attempt.detach();
                    Watch.Hang hang = watch.observe(1200);
                    return hang == null ? null : "HUNG\t" + choices + "\t" + (hang.isReported() ? "reported" : "still")
                            + "\t" + (program.isPublic() ? "public" : "package") + "\t" + encode(program.source())
                            + "\t" + String.join("\t", hang.seen());
                }
            } else if (best.isEmpty()) {
                best = program.source();
            }
            keptAway += attempt.isKeptAway ? 1 : 0;
            attempt.giveUp();
        }
        return null;
    }

    private static String encode(String text) {
        return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n");
    }
}
