package jury.hang;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * One run of a program: a thread for each role, each held at its stop by the debugger until all have
 * arrived. The debugger breaks in {@link #reset}, {@link #release} and {@link #detach}.
 */
final class Attempt {
    /** A call is repeated until it comes to its stop, at most this often. */
    private static final int REPEATS = 300;
    private static final int STEP = 10;
    /** Steps in which nothing moves until a thread counts as stuck. */
    private static final int STUCK = 12;
    private static final int LONGEST = 300;

    /** One bit for each role that stands at its stop; written by the debugger. */
    static volatile int arrived;
    /** Which attempt this is; the debugger knows threads by it. */
    static volatile int generation;

    /** How long all attempts together paused, by what the pauses should have taken, whatever they took. */
    static long paused;

    private final Plan plan;
    private final Builder.Program program;
    final List<Thread> threads = new ArrayList<>();
    private volatile boolean isOver;
    /** Whether a thread waited elsewhere while others stood at their stops: they keep it away. */
    boolean isKeptAway;

    Attempt(Plan plan, Builder.Program program) {
        this.plan = plan;
        this.program = program;
    }

    /** Forget who has arrived, and hold whoever comes now. */
    static void reset() {}

    /** Let all threads go. */
    static void release() {}

    /** Leave this JVM alone. */
    static void detach() {}

    /** Brings all threads to where they should wait for each other; false if one of them does not come. */
    boolean meet(boolean isReversed) {
        arrived = 0;
        generation++;
        reset();
        for (int role = 0; role < plan.roles.size(); role++) {
            threads.add(thread(role));
        }
        if (plan.isProgram) {
            return meetInProgram();
        }
        List<Integer> order = order(isReversed);
        for (int n = 0; n < order.size(); n++) {
            if (n == order.size() - 1 && !between()) {
                return false;
            }
            int role = order.get(n);
            threads.get(role).start();
            boolean isThere = plan.hasStop(role) ? comes(role) : settles(threads.get(role));
            if (!isThere) {
                isKeptAway = arrived != 0 && isWaiting(threads.get(role));
                return false;
            }
        }
        isOver = true;
        release();
        return true;
    }

    /** One call, whose threads come to their stops or do not. */
    private boolean meetInProgram() {
        threads.get(0).start();
        for (int n = 0; n < LONGEST && arrived != (1 << plan.roles.size()) - 1; n++) {
            pause(STEP);
        }
        boolean isComplete = arrived == (1 << plan.roles.size()) - 1;
        isOver = true;
        release();
        return isComplete;
    }

    /** Roles with a stop first: the others wait as soon as they can. */
    private List<Integer> order(boolean isReversed) {
        List<Integer> order = new ArrayList<>();
        for (int n = 0; n < plan.roles.size(); n++) {
            int role = isReversed ? plan.roles.size() - 1 - n : n;
            order.add(role);
        }
        order.sort(java.util.Comparator.comparing(role -> plan.kind == Plan.Kind.INIT && !plan.hasStop(role)));
        return order;
    }

    private boolean between() {
        Thread thread = daemon(() -> {
            for (Values.Call call : program.between()) {
                quietly(call);
            }
        }, "between");
        thread.start();
        join(thread, 1000);
        return !thread.isAlive();
    }

    private Thread thread(int role) {
        return daemon(() -> {
            int thrown = 0;
            int repeats = plan.kind == Plan.Kind.LOCKS && !plan.isProgram ? REPEATS : 1;
            for (int n = 0; n < repeats && !isOver && thrown < 3; n++) {
                thrown += quietly(program.calls().get(role)) ? 0 : 1;
            }
        }, "role-" + role + "-" + generation);
    }

    private static Thread daemon(Runnable body, String name) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        return thread;
    }

    private static boolean quietly(Values.Call call) {
        try {
            call.run();
            return true;
        } catch (Throwable thrown) {
            return false;
        }
    }

    private boolean comes(int role) {
        Thread thread = threads.get(role);
        int still = 0;
        for (int n = 0; n < LONGEST && still < STUCK; n++) {
            if ((arrived & 1 << role) != 0) {
                return true;
            }
            boolean isSpawned = plan.roles.get(role).isSpawned();
            if (!thread.isAlive()) {
                if (!isSpawned) {
                    return false;
                }
                still++;
            } else {
                still = thread.getState() == Thread.State.RUNNABLE ? 0 : still + 1;
            }
            pause(n < 10 ? 1 : STEP);
        }
        return (arrived & 1 << role) != 0;
    }

    private static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.BLOCKED || thread.getState() == Thread.State.WAITING;
    }

    /** Whether the thread comes to stand still. */
    private boolean settles(Thread thread) {
        int still = 0;
        for (int n = 0; n < LONGEST && still < STUCK; n++) {
            StackTraceElement[] before = thread.getStackTrace();
            pause(STEP);
            if (!thread.isAlive()) {
                return false;
            }
            still = java.util.Arrays.equals(before, thread.getStackTrace()) ? still + 1 : 0;
        }
        return still >= STUCK;
    }

    /** Lets everything go and waits for what ends. */
    void giveUp() {
        isOver = true;
        release();
        for (Thread thread : threads) {
            if (thread.getState() != Thread.State.NEW) {
                join(thread, 60);
            }
        }
    }

    static void join(Thread thread, long millis) {
        try {
            thread.join(millis);
            paused += thread.isAlive() ? millis : 0;
        } catch (InterruptedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /**
     * Waits until the thread ends, but not longer than it computes or stands still for so long: what else the
     * machine does must not matter.
     */
    static void await(Thread thread, long millis) {
        long still = 0;
        for (long n = 0; n < millis / 4 && still < millis && !hasComputed(thread, millis); n++) {
            try {
                thread.join(STEP);
            } catch (InterruptedException impossible) {
                throw new AssertionError(impossible);
            }
            if (!thread.isAlive()) {
                return;
            }
            still = thread.getState() == Thread.State.RUNNABLE ? 0 : still + STEP;
        }
        paused += millis;
    }

    private static boolean hasComputed(Thread thread, long millis) {
        return ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId()) > millis * 1_000_000;
    }

    static void pause(long millis) {
        paused += millis;
        try {
            Thread.sleep(millis);
        } catch (InterruptedException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
