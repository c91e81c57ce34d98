import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicVerifier;

/**
 * How fast ASM reads classes into trees, and analyses every method of those trees with BasicVerifier.
 * The classes are in memory before any clock starts, and the JVM is warm: this is ASM at its best.
 *
 * <p>Usage: AsmBench (JDK home | jar) threads warm-up-rounds measured-rounds. Prints JSON.
 */
public class AsmBench {
    private static final LongAdder methods = new LongAdder();
    private static final LongAdder bodies = new LongAdder();
    private static final LongAdder failures = new LongAdder();

    public static void main(String[] args) throws Exception {
        List<byte[]> classes = readAll(Path.of(args[0]));
        int threads = Integer.parseInt(args[1]);
        int warmUp = Integer.parseInt(args[2]);
        int measured = Integer.parseInt(args[3]);
        double[] read = measure(classes, threads, warmUp, measured, false);
        double[] analyze = measure(classes, threads, warmUp, measured, true);
        System.out.printf("{\"classes\": %d, \"methods\": %d, \"bodies\": %d, \"failures\": %d, \"threads\": %d, "
                        + "\"java\": \"%s\", \"read_best\": %.4f, \"read_median\": %.4f, "
                        + "\"analyze_best\": %.4f, \"analyze_median\": %.4f}%n",
                classes.size(), methods.sum(), bodies.sum(), failures.sum(), threads,
                System.getProperty("java.version"), read[0], median(read), analyze[0], median(analyze));
    }

    private static List<byte[]> readAll(Path path) throws IOException {
        boolean jar = Files.isRegularFile(path);
        FileSystem files = jar
                ? FileSystems.newFileSystem(path)
                : FileSystems.newFileSystem(URI.create("jrt:/"), Map.of("java.home", path.toString()));
        List<byte[]> classes = new ArrayList<>();
        try (files; Stream<Path> paths = Files.walk(files.getPath(jar ? "/" : "/modules"))) {
            for (Path file : (Iterable<Path>) paths::iterator) {
                if (file.toString().endsWith(".class")) {
                    classes.add(Files.readAllBytes(file));
                }
            }
        }
        return classes;
    }

    /** Seconds per measured round, sorted. */
    private static double[] measure(List<byte[]> classes, int threads, int warmUp, int measured, boolean analyze)
            throws InterruptedException {
        double[] seconds = new double[measured];
        for (int round = -warmUp; round < measured; round++) {
            methods.reset();
            bodies.reset();
            failures.reset();
            long start = System.nanoTime();
            runRound(classes, threads, analyze);
            if (round >= 0) {
                seconds[round] = (System.nanoTime() - start) / 1e9;
            }
        }
        Arrays.sort(seconds);
        return seconds;
    }

    private static void runRound(List<byte[]> classes, int threads, boolean analyze) throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        Thread[] workers = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            workers[i] = new Thread(() -> {
                for (int at = next.getAndIncrement(); at < classes.size(); at = next.getAndIncrement()) {
                    visit(classes.get(at), analyze);
                }
            });
            workers[i].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
    }

    private static void visit(byte[] bytes, boolean analyze) {
        ClassNode node = new ClassNode();
        new ClassReader(bytes).accept(node, 0);
        methods.add(node.methods.size());
        for (MethodNode method : node.methods) {
            if (method.instructions.size() == 0) {
                continue;
            }
            bodies.increment();
            if (analyze) {
                try {
                    new Analyzer<>(new BasicVerifier()).analyze(node.name, method);
                } catch (AnalyzerException e) {
                    failures.increment();
                }
            }
        }
    }

    private static double median(double[] sorted) {
        return sorted[sorted.length / 2];
    }
}
