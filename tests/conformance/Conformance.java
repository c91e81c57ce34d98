import java.io.BufferedWriter;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The JVM's side of the conformance run: draws inputs for every method in question, writes the calls
 * in the syntax of {@code jury eval --calls}, runs them here and writes the outcomes as
 * {@code jury eval --json} does. All in one JVM, in order, so static state is shared as there.
 *
 * <p>{@code Conformance SEED INPUTS EVERY CALLS OUTCOMES PLACE...}: a place is {@code class:NAME} or
 * {@code jar:PATH}, the latter optionally followed by {@code =package,package}. Of all methods, every
 * EVERYth is taken.
 */
public final class Conformance {
    public static void main(String[] arguments) throws Exception {
        long seed = Long.parseLong(arguments[0]);
        int inputs = Integer.parseInt(arguments[1]);
        int every = Integer.parseInt(arguments[2]);
        Path calls = Path.of(arguments[3]);
        Path outcomes = Path.of(arguments[4]);
        List<Subject> subjects = new ArrayList<>();
        for (int i = 5; i < arguments.length; i++) {
            subjects.addAll(Subject.in(arguments[i]));
        }
        // What the methods print is not ours to compare.
        PrintStream out = System.out;
        System.setOut(new PrintStream(java.io.OutputStream.nullOutputStream()));
        System.setErr(new PrintStream(java.io.OutputStream.nullOutputStream()));
        int methods = 0;
        try (BufferedWriter callWriter = Files.newBufferedWriter(calls);
                BufferedWriter outcomeWriter = Files.newBufferedWriter(outcomes)) {
            Watchdog watchdog = new Watchdog();
            for (int i = 0; i < subjects.size(); i += every) {
                Subject subject = subjects.get(i);
                Inputs drawn = new Inputs(seed, subject);
                methods++;
                for (int n = 0; n < inputs; n++) {
                    Object[] values = drawn.next();
                    String call = subject.text() + " " + Literals.joined(values, " ");
                    String outcome = watchdog.run(subject, values);
                    callWriter.write(call + "\n");
                    outcomeWriter.write("{\"call\":" + Literals.json(call) + "," + outcome + "}\n");
                }
            }
        }
        out.println(methods);
        out.flush();
        // Calls that went on for too long may still be running.
        Runtime.getRuntime().halt(0);
    }
}
