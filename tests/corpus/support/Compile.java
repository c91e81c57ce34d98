import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles many small programs in one JVM. Input lines: output directory, class path, sources, by tabs. */
final class Compile {
    public static void main(String[] args) throws Exception {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null; ) {
            String[] parts = line.split("\t");
            Files.createDirectories(Path.of(parts[0]));
            List<String> options = List.of("-g", "-nowarn", "-Xlint:none", "-proc:none", "-d", parts[0], "-cp", parts[1]);
            StringWriter messages = new StringWriter();
            try (StandardJavaFileManager files = javac.getStandardFileManager(null, null, null)) {
                List<String> sources = new ArrayList<>(List.of(parts).subList(2, parts.length));
                boolean ok = javac.getTask(messages, files, null, options, null,
                        files.getJavaFileObjectsFromStrings(sources)).call();
                System.out.println((ok ? "ok\t" : "error\t") + parts[0] + "\t"
                        + (ok ? "" : messages.toString().strip().replace("\n", " | ")));
            }
        }
    }
}
