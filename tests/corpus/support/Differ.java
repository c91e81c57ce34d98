package support;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Runs a method of two versions, in two class loaders, on the input that expect.txt names and on random
 * ones; prints SAME, or DIFFERENT with the input and both outcomes. Runs that overflow the stack, run
 * out of memory or do not end on either side prove nothing and are left out.
 */
@SuppressWarnings("removal")
public final class Differ {
    private static final int RUNS = 60_000;
    private static final long LIMIT_NANOS = 4_000_000_000L;
    private static final long PATIENCE_MILLIS = 200;
    private static final long PATIENCE_AT_FIRST_MILLIS = 5000;

    private static Worker worker = new Worker();

    private final Version old;
    private final Version young;
    private int compared;
    private int returned;

    private Differ(Version old, Version young) {
        this.old = old;
        this.young = young;
    }

    public static void main(String[] args) throws Exception {
        List<String> lines = Files.readAllLines(Path.of(args[2]));
        Differ differ = new Differ(new Version(args[0], lines.get(1)), new Version(args[1], lines.get(1)));
        String literal = lines.size() > 2 && lines.get(2).startsWith("input: (") ? lines.get(2).substring(7).strip() : null;
        String verdict = literal != null ? differ.onLiteral(literal) : differ.onRandom();
        System.out.println(verdict);
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private String onLiteral(String text) throws Exception {
        String a = old.run(old.parse(text), 0);
        String b = young.run(young.parse(text), 0);
        return a.equals(b) ? "SAME on the named input " + text + ": " + a : "DIFFERENT " + text + "\n  " + a + "\n  " + b;
    }

    private String onRandom() throws Exception {
        long end = System.nanoTime() + LIMIT_NANOS;
        int seed = 0;
        for (; seed < RUNS && System.nanoTime() < end; seed++) {
            String a = old.run(null, seed);
            String b = a.startsWith("!") ? a : young.run(null, seed);
            if (b.startsWith("!")) {
                continue;
            }
            compared++;
            returned += a.startsWith("return") ? 1 : 0;
            if (!a.equals(b)) {
                return "DIFFERENT seed " + seed + " " + old.input + "\n  " + a + "\n  " + b;
            }
        }
        return "SAME on " + compared + " of " + seed + " inputs, " + returned + " of them returned";
    }

    /** Runs what may never end; then it is stopped and another one takes its place. */
    private static final class Worker extends Thread {
        final SynchronousQueue<Supplier<String>> tasks = new SynchronousQueue<>();
        final SynchronousQueue<String> outcomes = new SynchronousQueue<>();

        Worker() {
            super(null, null, "run", 1 << 20);
            setDaemon(true);
            start();
        }

        @Override
        public void run() {
            try {
                while (true) {
                    outcomes.put(tasks.take().get());
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static final class Version {
        final List<Class<?>> classes = new ArrayList<>();
        final Executable method;
        final List<String> trace = new ArrayList<>();
        String input;
        private int calls;

        Version(String folder, String signature) throws Exception {
            ClassLoader loader = new URLClassLoader(new URL[] {new File(folder).toURI().toURL()}, ClassLoader.getPlatformClassLoader());
            load(Path.of(folder), loader);
            int open = signature.indexOf('(');
            int dot = signature.lastIndexOf('.', open);
            Class<?> owner = Class.forName(signature.substring(0, dot), true, loader);
            String name = signature.substring(dot + 1, open);
            MethodType type = MethodType.fromMethodDescriptorString(signature.substring(open), loader);
            method = name.equals("<init>") ? owner.getDeclaredConstructor(type.parameterArray())
                    : owner.getDeclaredMethod(name, type.parameterArray());
            if (method instanceof Method m && m.getReturnType() != type.returnType()) {
                throw new NoSuchMethodException(signature);
            }
            method.setAccessible(true);
        }

        private void load(Path folder, ClassLoader loader) throws Exception {
            List<Path> files;
            try (var walk = Files.walk(folder)) {
                files = walk.filter(f -> f.toString().endsWith(".class")).sorted().toList();
            }
            for (Path file : files) {
                String name = folder.relativize(file).toString().replace(File.separatorChar, '.');
                Class<?> c = Class.forName(name.substring(0, name.length() - 6), true, loader);
                if (!c.isAnonymousClass() && !c.isSynthetic()) {
                    classes.add(c);
                }
            }
        }

        /** The outcome as text; "!" in front where the run proves nothing. */
        String run(Object[] given, int seed) throws Exception {
            trace.clear();
            Inputs inputs = new Inputs(seed, classes, trace);
            Object receiver = null;
            Object[] arguments = given;
            if (given == null) {
                fillStatics(inputs);
                if (method instanceof Method && !Modifier.isStatic(method.getModifiers())) {
                    receiver = inputs.make(method.getDeclaringClass());
                    if (receiver == null) {
                        return "!no receiver";
                    }
                }
                Type[] types = method.getGenericParameterTypes();
                arguments = new Object[types.length];
                for (int i = 0; i < types.length; i++) {
                    arguments[i] = inputs.make(types[i]);
                }
                input = new Heap().show(new Object[] {receiver, arguments}) + " " + new Heap().showStatics(classes);
            }
            return call(receiver, arguments);
        }

        private String call(Object receiver, Object[] arguments) throws Exception {
            PrintStream out = System.out;
            ByteArrayOutputStream printed = new ByteArrayOutputStream();
            System.setOut(new PrintStream(printed, true));
            worker.tasks.put(() -> outcome(receiver, arguments));
            String outcome = worker.outcomes.poll(calls++ < 3 ? PATIENCE_AT_FIRST_MILLIS : PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            System.setOut(out);
            if (outcome == null) {
                worker.stop();
                worker = new Worker();
                return "!does not end";
            }
            return outcome + (printed.size() == 0 ? "" : " printed " + printed);
        }

        private String outcome(Object receiver, Object[] arguments) {
            try {
                Object result = null;
                String thrown = null;
                try {
                    result = method instanceof Method m ? m.invoke(receiver, arguments)
                            : ((Constructor<?>) method).newInstance(arguments);
                } catch (InvocationTargetException e) {
                    if (e.getCause() instanceof VirtualMachineError) {
                        return "!" + e.getCause();
                    }
                    thrown = e.getCause().getClass().getName();
                }
                Heap heap = new Heap();
                String after = heap.show(new Object[] {result, receiver, arguments}) + " " + heap.showStatics(classes) + trace;
                return (thrown == null ? "return " : "throw " + thrown + " ") + after;
            } catch (VirtualMachineError | IllegalAccessException | InstantiationException e) {
                return "!" + e;
            }
        }

        private void fillStatics(Inputs inputs) throws IllegalAccessException {
            for (Class<?> c : classes) {
                for (Field field : Heap.fields(c)) {
                    int modifiers = field.getModifiers();
                    if (Modifier.isStatic(modifiers) && !Modifier.isFinal(modifiers)) {
                        field.setAccessible(true);
                        field.set(null, inputs.make(field.getGenericType()));
                    }
                }
            }
        }

        /** Arguments from a list of literals in parentheses. */
        Object[] parse(String text) {
            List<String> parts = split(text.substring(1, text.lastIndexOf(')')));
            Class<?>[] types = method.getParameterTypes();
            if (parts.size() != types.length) {
                throw new IllegalArgumentException("literals for " + Arrays.toString(types) + ": " + text);
            }
            Object[] values = new Object[types.length];
            for (int i = 0; i < types.length; i++) {
                values[i] = literal(types[i], parts.get(i));
            }
            return values;
        }

        private static List<String> split(String text) {
            List<String> parts = new ArrayList<>();
            int depth = 0;
            boolean quoted = false;
            StringBuilder part = new StringBuilder();
            for (char c : text.toCharArray()) {
                quoted ^= c == '"';
                depth += c == '{' ? 1 : c == '}' ? -1 : 0;
                if (c == ',' && depth == 0 && !quoted) {
                    parts.add(part.toString().strip());
                    part.setLength(0);
                } else {
                    part.append(c);
                }
            }
            if (!part.toString().isBlank()) {
                parts.add(part.toString().strip());
            }
            return parts;
        }

        private static Object literal(Class<?> type, String text) {
            if (type.isArray() && text.startsWith("{")) {
                List<String> items = split(text.substring(1, text.length() - 1));
                Object array = Array.newInstance(type.getComponentType(), items.size());
                for (int i = 0; i < items.size(); i++) {
                    Array.set(array, i, literal(type.getComponentType(), items.get(i)));
                }
                return array;
            }
            if (text.equals("null")) {
                return null;
            }
            if (text.startsWith("\"")) {
                return text.substring(1, text.length() - 1);
            }
            return switch (type.getName()) {
                case "int", "java.lang.Integer" -> Integer.decode(text);
                case "long", "java.lang.Long" -> Long.decode(text);
                case "short" -> Short.decode(text);
                case "byte" -> Byte.decode(text);
                case "char" -> text.charAt(1);
                case "boolean" -> Boolean.valueOf(text);
                case "float" -> Float.valueOf(text);
                case "double", "java.lang.Double" -> Double.valueOf(text);
                default -> throw new IllegalArgumentException(type + " " + text);
            };
        }
    }
}
