import com.sun.jdi.*;
import com.sun.jdi.connect.*;
import com.sun.jdi.event.*;
import com.sun.jdi.request.*;
import java.io.*;
import java.nio.file.*;
import java.util.*;
import javax.tools.*;

/**
 * Runs programs that should deadlock, each in a JVM of its own, and brings every thread to the place
 * where it holds its first lock before any goes on. Prints one line for each: its directory, then HUNG,
 * DONE or FAILED, then what was seen, parts separated by tabs.
 */
public class Driver {
    record Stop(String role, String type, String method, String descriptor, int pc) {}

    static final int PATIENCE = 6000;

    public static void main(String[] args) throws Exception {
        String home = args[0];
        String classpath = args[1];
        for (int i = 2; i < args.length; i++) {
            Path dir = Path.of(args[i]);
            String answer;
            try {
                answer = judge(home, classpath, dir);
            } catch (Throwable problem) {
                answer = "FAILED\t" + problem;
            }
            System.out.println(dir.getFileName() + "\t" + answer.replace('\n', ' '));
        }
        System.exit(0);
    }

    static String judge(String home, String classpath, Path dir) throws Exception {
        StringWriter messages = new StringWriter();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> options =
            List.of("-nowarn", "-Xlint:none", "-proc:none", "-cp", classpath, "-d", dir.toString());
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            Iterable<? extends JavaFileObject> units = files.getJavaFileObjects(dir.resolve("Deadlock.java"));
            if (!compiler.getTask(messages, files, null, options, null, units).call()) {
                return "FAILED\tdoes not compile: " + messages;
            }
        }
        List<Stop> stops = new ArrayList<>();
        int roles = 0;
        for (String line : Files.readAllLines(dir.resolve("stops"))) {
            String[] part = line.split("\t");
            if (part[0].equals("roles")) {
                roles = Integer.parseInt(part[1]);
            } else {
                stops.add(new Stop("role-" + part[0], part[1], part[2], part[3], Integer.parseInt(part[4])));
            }
        }
        String path = dir + File.pathSeparator + classpath;
        String together = run(home, path, "", stops);
        if (!together.startsWith("HUNG")) {
            return together;
        }
        // Each thread alone comes to its end: what hangs is their meeting.
        for (int role = 0; role < roles; role++) {
            String alone = run(home, path, " solo " + role, List.of());
            if (!alone.startsWith("DONE")) {
                return "FAILED\tone thread alone does not end: " + alone;
            }
        }
        return together;
    }

    static String run(String home, String classpath, String arguments, List<Stop> stops) throws Exception {
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> values = connector.defaultArguments();
        values.get("home").setValue(home);
        values.get("main").setValue("Deadlock" + arguments);
        values.get("options").setValue("-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Djava.awt.headless=true"
            + " -cp \"" + classpath + "\"");
        VirtualMachine vm = connector.launch(values);
        Process process = vm.process();
        StringBuilder output = new StringBuilder();
        Thread reader = drain(process.getInputStream(), output);
        drain(process.getErrorStream(), new StringBuilder());
        try {
            lead(vm, stops);
        } catch (VMDisconnectedException over) {
            // It has ended by itself, and said how.
        }
        long end = System.currentTimeMillis() + 3 * PATIENCE;
        while (process.isAlive() && System.currentTimeMillis() < end) {
            Thread.sleep(20);
        }
        process.destroyForcibly();
        reader.join(1000);
        for (String line : output.toString().split("\n")) {
            if (line.startsWith("HUNG") || line.startsWith("DONE") || line.startsWith("STUCK")) {
                return line;
            }
        }
        return "FAILED\tno answer";
    }

    static Thread drain(InputStream from, StringBuilder into) {
        Thread thread = new Thread(() -> {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(from))) {
                for (String line; (line = lines.readLine()) != null; ) {
                    into.append(line).append('\n');
                }
            } catch (IOException closed) {
                // The process is gone.
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Holds each thread at its stop until all have arrived, then lets them all go and leaves. */
    static void lead(VirtualMachine vm, List<Stop> stops) throws Exception {
        EventRequestManager requests = vm.eventRequestManager();
        Set<String> types = new HashSet<>(List.of("Deadlock"));
        stops.forEach(stop -> types.add(stop.type));
        for (String type : types) {
            ClassPrepareRequest request = requests.createClassPrepareRequest();
            request.addClassFilter(type);
            request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            request.enable();
            vm.classesByName(type).forEach(loaded -> place(vm, loaded, stops));
        }
        Map<String, ThreadReference> arrived = new HashMap<>();
        ThreadReference waiting = null;
        long deadline = Long.MAX_VALUE;
        while (true) {
            EventSet events = vm.eventQueue().remove(50);
            if (events == null) {
                if (waiting != null && System.currentTimeMillis() > deadline) {
                    waiting.resume();
                    waiting = null;
                }
                continue;
            }
            boolean resume = true;
            for (Event event : events) {
                if (event instanceof ClassPrepareEvent prepared) {
                    place(vm, prepared.referenceType(), stops);
                } else if (event instanceof BreakpointEvent hit) {
                    String type = hit.location().declaringType().name();
                    String method = hit.location().method().name();
                    String thread = hit.thread().name();
                    if (type.equals("Deadlock") && method.equals("arrived")) {
                        resume = false;
                        waiting = hit.thread();
                        deadline = System.currentTimeMillis() + PATIENCE / 2;
                    } else if (type.equals("Deadlock") && method.equals("release")) {
                        arrived.values().forEach(ThreadReference::resume);
                        events.resume();
                        vm.dispose();
                        return;
                    } else if (!arrived.containsKey(thread) && is(stops, thread, hit.location())) {
                        arrived.put(thread, hit.thread());
                        resume = false;
                    }
                } else if (event instanceof VMDeathEvent || event instanceof VMDisconnectEvent) {
                    return;
                }
            }
            if (resume) {
                events.resume();
            }
            if (waiting != null && arrived.size() == stops.size()) {
                waiting.resume();
                waiting = null;
            }
        }
    }

    static boolean is(List<Stop> stops, String thread, Location at) {
        return stops.stream().anyMatch(stop -> stop.role.equals(thread)
            && stop.type.equals(at.declaringType().name())
            && stop.method.equals(at.method().name())
            && stop.descriptor.equals(at.method().signature())
            && stop.pc == at.codeIndex());
    }

    static void place(VirtualMachine vm, ReferenceType type, List<Stop> stops) {
        List<Location> places = new ArrayList<>();
        if (type.name().equals("Deadlock")) {
            for (String name : List.of("arrived", "release")) {
                places.add(type.methodsByName(name).get(0).locationOfCodeIndex(0));
            }
        }
        for (Stop stop : stops) {
            if (stop.type.equals(type.name())) {
                for (Method method : type.methodsByName(stop.method, stop.descriptor)) {
                    Location place = method.locationOfCodeIndex(stop.pc);
                    if (place != null && !places.contains(place)) {
                        places.add(place);
                    }
                }
            }
        }
        for (Location place : places) {
            BreakpointRequest request = vm.eventRequestManager().createBreakpointRequest(place);
            request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            request.enable();
        }
    }
}
