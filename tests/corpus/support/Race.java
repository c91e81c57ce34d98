package support;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs the roles of a deadlock against each other until they hang, prints HUNG and exits 0.
 *
 * <p>A hang is: every role that has not finished makes no progress, uses hardly any processor time and
 * shows the same stack for a second. That sees class initialisation, read holds and StampedLock, which
 * ThreadMXBean does not; where it does see a cycle it is asked and its answer printed.
 */
public final class Race {
    private static final long LIMIT_NANOS = 40_000_000_000L;
    /** A thread that waits for a monitor wakes up now and then to look whether it is free. */
    private static final long RECHECK_NANOS = 20_000_000L;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private Race() {}

    public interface Role {
        void run() throws Exception;
    }

    /** The same objects, each role repeated until they hang. */
    public static void loop(Role... roles) {
        List<Runner> runners = start(roles, Integer.MAX_VALUE);
        long end = System.nanoTime() + LIMIT_NANOS;
        while (System.nanoTime() < end) {
            pause(50);
            if (stuck(runners)) {
                hung(runners);
            }
        }
        System.out.println("NO HANG");
        Runtime.getRuntime().halt(1);
    }

    /** Roles run once; fresh ones (objects or class loaders) for every attempt. */
    public static void attempts(Callable<Role[]> fresh) throws Exception {
        long end = System.nanoTime() + LIMIT_NANOS;
        int count = 0;
        while (System.nanoTime() < end) {
            List<Runner> runners = start(fresh.call(), 1);
            count++;
            if (!finished(runners, 400) && stuck(runners)) {
                System.out.println("attempt " + count);
                hung(runners);
            }
            if (!finished(runners, 5000)) {
                System.out.println("NEITHER FINISHED NOR STUCK");
                Runtime.getRuntime().halt(1);
            }
        }
        System.out.println("NO HANG in " + count + " attempts");
        Runtime.getRuntime().halt(1);
    }

    /** A loader that defines the classes of the class path anew, so that they can be initialised again. */
    public static ClassLoader loader() {
        try {
            List<URL> urls = new ArrayList<>();
            for (String path : System.getProperty("java.class.path").split(File.pathSeparator)) {
                urls.add(new File(path).toURI().toURL());
            }
            return new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Each role initialises one of the classes, in a new loader at every attempt. */
    public static void initialise(String... classes) throws Exception {
        attempts(() -> {
            ClassLoader loader = loader();
            Role[] roles = new Role[classes.length];
            for (int i = 0; i < classes.length; i++) {
                String name = classes[i];
                Class.forName(name, false, loader);
                roles[i] = () -> Class.forName(name, true, loader);
            }
            return roles;
        });
    }

    private static final class Runner extends Thread {
        final Role role;
        final int rounds;
        final AtomicInteger arrived;
        final int expected;
        volatile long progress;
        volatile boolean done;

        Runner(Role role, int rounds, AtomicInteger arrived, int expected) {
            this.role = role;
            this.rounds = rounds;
            this.arrived = arrived;
            this.expected = expected;
            setDaemon(true);
        }

        @Override
        public void run() {
            arrived.incrementAndGet();
            while (arrived.get() < expected) {
                Thread.onSpinWait();
            }
            long until = System.nanoTime() + ThreadLocalRandom.current().nextInt(60_000);
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            try {
                for (int i = 0; i < rounds; i++) {
                    role.run();
                    progress++;
                }
            } catch (Throwable e) {
                e.printStackTrace(System.out);
            }
            done = true;
        }
    }

    private static List<Runner> start(Role[] roles, int rounds) {
        AtomicInteger arrived = new AtomicInteger();
        List<Runner> runners = new ArrayList<>();
        for (Role role : roles) {
            runners.add(new Runner(role, rounds, arrived, roles.length));
        }
        runners.forEach(Thread::start);
        return runners;
    }

    private static boolean finished(List<Runner> runners, long millis) {
        long end = System.nanoTime() + millis * 1_000_000;
        while (System.nanoTime() < end) {
            if (runners.stream().allMatch(r -> r.done)) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    private static boolean stuck(List<Runner> runners) {
        List<Runner> open = new ArrayList<>(runners);
        open.removeIf(r -> r.done);
        if (open.isEmpty()) {
            return false;
        }
        List<String> before = picture(open);
        long cpu = cpuTime(open);
        for (int i = 0; i < 4; i++) {
            pause(250);
            if (!picture(open).equals(before)) {
                return false;
            }
        }
        return cpuTime(open) - cpu < RECHECK_NANOS;
    }

    private static List<String> picture(List<Runner> runners) {
        List<String> out = new ArrayList<>();
        for (Runner r : runners) {
            out.add(r.progress + " " + r.done + " " + Arrays.toString(r.getStackTrace()));
        }
        return out;
    }

    private static long cpuTime(List<Runner> runners) {
        long sum = 0;
        for (Runner r : runners) {
            sum += THREADS.getThreadCpuTime(r.getId());
        }
        return sum;
    }

    private static void hung(List<Runner> runners) {
        long[] found = THREADS.findDeadlockedThreads();
        System.out.println("seen by ThreadMXBean: " + (found == null ? 0 : found.length));
        for (Runner r : runners) {
            if (!r.done) {
                System.out.println(r.getName() + " " + r.getState());
                for (StackTraceElement e : r.getStackTrace()) {
                    System.out.println("    " + e);
                }
            }
        }
        System.out.println("HUNG");
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
