package jury.hang;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ClassType;
import com.sun.jdi.IntegerValue;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.ListeningConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.VMDeathEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Leads JVMs that should hang through the debugger's interface. Reads from standard input one line for each
 * deadlock, its plans separated by tabs, and answers with one line: HUNG, DONE or FAILED, and what was seen.
 *
 * <p>Arguments: the home of the JDK, the class path, the port to listen at.
 */
public final class Driver {
    /** Seconds for one JVM, whatever it does. */
    private static final int PATIENCE = 90;

    private final String home;
    private final String classpath;
    private final String port;

    private Driver(String home, String classpath, String port) {
        this.home = home;
        this.classpath = classpath;
        this.port = port;
    }

    public static void main(String[] args) throws Exception {
        Driver driver = new Driver(args[0], args[1], args[2]);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = lines.readLine()) != null; ) {
            String answer = "FAILED\tno plan";
            String[] plans = line.split("\t");
            for (int number = 0; number < plans.length; number++) {
                String last = driver.judge(Path.of(plans[number]));
                // A program that ran is told rather than a plan for which there was none.
                answer = last.startsWith("HUNG") || against(last) >= against(answer) ? last : answer;
                if (answer.startsWith("HUNG")) {
                    // Whose plan it was, in the place of what was decided in it.
                    answer = answer.replaceFirst("\t[^\t]*", "\t" + number);
                    break;
                }
            }
            System.out.println("jury-hang " + answer);
            System.out.flush();
        }
    }

    private static int against(String answer) {
        String[] part = answer.split("\t");
        return part[0].equals("DONE") && part.length > 2 ? Integer.parseInt(part[2]) : 0;
    }

    private String judge(Path file) {
        try {
            Plan plan = Plan.read(file);
            String found = run(plan, true, file.toString(), "search");
            if (!found.startsWith("HUNG")) {
                return found;
            }
            String[] part = found.split("\t", 4);
            // Again from the start, unless it was the first thing that this JVM did.
            if (!part[1].isEmpty()) {
                found = run(plan, true, file.toString(), "only", part[1]);
                if (!found.startsWith("HUNG")) {
                    return found;
                }
            }
            // Where the JVM itself does not report it: each thread alone comes to its end.
            boolean isMeeting =
                    !plan.isProgram && (plan.kind == Plan.Kind.LOCKS || plan.kind == Plan.Kind.INIT);
            for (int role = 0; part[2].equals("still") && isMeeting && role < plan.roles.size(); role++) {
                String alone = run(plan, false, file.toString(), "solo", Integer.toString(role), part[1]);
                if (!alone.startsWith("ENDS")) {
                    return "DONE\t";
                }
            }
            return found;
        } catch (Exception problem) {
            return "FAILED\t" + problem;
        }
    }

    private String run(Plan plan, boolean isLed, String... arguments) throws Exception {
        ListeningConnector connector = Bootstrap.virtualMachineManager().listeningConnectors().stream()
                .filter(it -> it.name().equals("com.sun.jdi.SocketListen")).findFirst().orElseThrow();
        Map<String, Connector.Argument> values = connector.defaultArguments();
        values.get("port").setValue(port);
        values.get("localAddress").setValue("127.0.0.1");
        values.get("timeout").setValue("20000");
        List<String> command = new ArrayList<>(List.of(Path.of(home, "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx512m", "-XX:-UsePerfData",
                "-Djava.awt.headless=true", "-Duser.language=en", "-Duser.timezone=UTC",
                "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir")));
        if (isLed) {
            command.add("-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=127.0.0.1:" + port);
            connector.startListening(values);
        }
        command.addAll(List.of("-cp", classpath, "jury.hang.Scout"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        StringBuilder output = new StringBuilder();
        Thread reader = drain(process.getInputStream(), output);
        Thread watchdog = watchdog(process);
        try {
            if (isLed) {
                VirtualMachine vm = connector.accept(values);
                new Leader(vm, plan).lead();
            }
        } catch (VMDisconnectedException over) {
            // It has ended by itself, and said how.
        } finally {
            if (isLed) {
                connector.stopListening(values);
            }
        }
        process.waitFor(PATIENCE, TimeUnit.SECONDS);
        process.destroyForcibly();
        watchdog.interrupt();
        reader.join(1000);
        synchronized (output) {
            for (String line : output.toString().split("\n")) {
                if (line.startsWith("jury-hang ")) {
                    return line.substring("jury-hang ".length());
                }
            }
            return "FAILED\tno answer " + output.toString().lines().findFirst().orElse("");
        }
    }

    /** Ends a JVM that takes too long, however far it has come. */
    private static Thread watchdog(Process process) {
        return daemon(() -> {
            try {
                if (!process.waitFor(PATIENCE, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException over) {
                // It has ended in time.
            }
        });
    }

    private static Thread drain(InputStream from, StringBuilder into) {
        return daemon(() -> {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(from))) {
                for (String line; (line = lines.readLine()) != null; ) {
                    synchronized (into) {
                        into.append(line).append('\n');
                    }
                }
            } catch (IOException closed) {
                // The process is gone.
            }
        });
    }

    private static Thread daemon(Runnable body) {
        Thread thread = new Thread(body);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Holds each thread at its stop until the attempt says that all may go. */
    private static final class Leader {
        private static final String ATTEMPT = "jury.hang.Attempt";

        private final VirtualMachine vm;
        private final Plan plan;
        private final Map<Integer, ThreadReference> held = new HashMap<>();
        private boolean isOpen;
        private boolean hasPassed;
        private int generation;
        private ClassType attempt;

        Leader(VirtualMachine vm, Plan plan) {
            this.vm = vm;
            this.plan = plan;
        }

        void lead() throws InterruptedException {
            Set<String> types = new HashSet<>(Set.of(ATTEMPT));
            plan.stops.forEach(stop -> types.add(stop.type()));
            for (String type : types) {
                ClassPrepareRequest request = vm.eventRequestManager().createClassPrepareRequest();
                request.addClassFilter(type);
                request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
                request.enable();
                vm.classesByName(type).forEach(this::place);
            }
            while (true) {
                EventSet events = vm.eventQueue().remove();
                boolean resumes = true;
                for (Event event : events) {
                    if (event instanceof ClassPrepareEvent prepared) {
                        place(prepared.referenceType());
                    } else if (event instanceof BreakpointEvent hit) {
                        if (hit.location().declaringType().name().equals(ATTEMPT)) {
                            letGo();
                            isOpen = hit.location().method().name().equals("reset");
                            generation = ((IntegerValue) attempt.getValue(attempt.fieldByName("generation"))).value();
                            if (hit.location().method().name().equals("detach")) {
                                vm.dispose();
                                return;
                            }
                        } else if (holds(hit)) {
                            resumes = false;
                        }
                    } else if (event instanceof VMDeathEvent || event instanceof VMDisconnectEvent) {
                        return;
                    }
                }
                if (resumes) {
                    events.resume();
                }
            }
        }

        private void letGo() {
            held.values().forEach(ThreadReference::resume);
            held.clear();
        }

        /** Whether the thread has come to the stop of its role, and is kept there. */
        private boolean holds(BreakpointEvent hit) {
            String name = hit.thread().name();
            for (Plan.Stop stop : plan.stops) {
                boolean isSpawned = plan.roles.get(stop.role()).isSpawned();
                boolean isForeign = !name.startsWith("role-")
                        && !List.of("main", "setup", "between").contains(name);
                boolean isItsThread = name.equals("role-" + stop.role() + "-" + generation)
                        || isSpawned && (isForeign || plan.isProgram && name.equals("role-0-" + generation));
                if (isOpen && isItsThread && !held.containsKey(stop.role()) && !held.containsValue(hit.thread())
                        && isAt(stop, hit.location())) {
                    if (stop.role() == plan.passed && !hasPassed) {
                        hasPassed = true;
                        return false;
                    }
                    held.put(stop.role(), hit.thread());
                    int arrived = held.keySet().stream().mapToInt(role -> 1 << role).sum();
                    try {
                        attempt.setValue(attempt.fieldByName("arrived"), vm.mirrorOf(arrived));
                    } catch (com.sun.jdi.InvalidTypeException | com.sun.jdi.ClassNotLoadedException impossible) {
                        throw new AssertionError(impossible);
                    }
                    return true;
                }
            }
            return false;
        }

        private static boolean isAt(Plan.Stop stop, Location at) {
            return stop.type().equals(at.declaringType().name()) && stop.method().equals(at.method().name())
                    && stop.descriptor().equals(at.method().signature()) && stop.index(at.method().bytecodes()) == at.codeIndex();
        }

        private void place(ReferenceType type) {
            Set<Location> places = new HashSet<>();
            if (type.name().equals(ATTEMPT)) {
                attempt = (ClassType) type;
                for (String name : List.of("reset", "release", "detach")) {
                    places.add(type.methodsByName(name).get(0).locationOfCodeIndex(0));
                }
            }
            for (Plan.Stop stop : plan.stops) {
                if (stop.type().equals(type.name())) {
                    for (Method method : type.methodsByName(stop.method(), stop.descriptor())) {
                        places.add(method.locationOfCodeIndex(stop.index(method.bytecodes())));
                    }
                }
            }
            places.remove(null);
            for (Location place : places) {
                BreakpointRequest request = vm.eventRequestManager().createBreakpointRequest(place);
                request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
                request.enable();
            }
        }
    }
}
