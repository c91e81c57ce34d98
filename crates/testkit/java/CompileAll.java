import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;

/**
 * Many javac runs in one JVM. The request file holds one run per paragraph, one argument per line;
 * the answer file gets a paragraph "number, then messages" for each run that failed.
 */
public class CompileAll {
    public static void main(String[] args) throws Exception {
        ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
        List<String> run = new ArrayList<>();
        StringBuilder answer = new StringBuilder();
        int number = 0;
        for (String line : Files.readAllLines(Path.of(args[0]))) {
            if (!line.isEmpty()) {
                run.add(line);
                continue;
            }
            StringWriter text = new StringWriter();
            PrintWriter out = new PrintWriter(text);
            if (javac.run(out, out, run.toArray(new String[0])) != 0) {
                answer.append(number).append('\n').append(text.toString().replaceAll("\n\n+", "\n")).append('\n');
            }
            run.clear();
            number++;
        }
        Files.writeString(Path.of(args[1]), answer);
    }
}
