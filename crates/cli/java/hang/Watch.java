package jury.hang;

import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Whether the threads of an attempt wait for each other as the plan says, and forever. */
final class Watch {
    private static final ThreadMXBean BEAN = ManagementFactory.getThreadMXBean();
    private static final int SHOWN = 4;
    /** Nanoseconds on the processor for each millisecond: one in a hundred. */
    private static final long LOOKING = 10_000;

    /**
     * What was seen.
     *
     * @param isReported whether the JVM itself reports the deadlock; else the threads stand still
     */
    record Hang(boolean isReported, List<String> seen) {}

    private final Plan plan;
    private final List<Thread> threads;

    Watch(Plan plan, List<Thread> started) {
        this.plan = plan;
        threads = new ArrayList<>(started);
    }

    /** Null if some thread goes on, or waits for something else. */
    Hang observe(int millis) {
        for (int n = 0; n < millis; n += 25) {
            Attempt.pause(25);
            if (!isAlive()) {
                return null;
            }
            if (plan.kind == Plan.Kind.LOCKS && findSpawned() && isReported()) {
                return new Hang(true, describe());
            }
        }
        return findSpawned() && isStill(millis) && isAsPlanned() ? new Hang(false, describe()) : null;
    }

    private boolean isAlive() {
        for (int role = 0; role < threads.size(); role++) {
            if (!plan.roles.get(role).isSpawned() && !threads.get(role).isAlive()) {
                return false;
            }
        }
        return true;
    }

    /** Threads that the program has started itself are known by where they stopped. */
    private boolean findSpawned() {
        for (int role = 0; role < threads.size(); role++) {
            if (plan.roles.get(role).isSpawned() && !passes(threads.get(role).getStackTrace(), role)) {
                Thread found = spawned(role);
                if (found == null) {
                    return false;
                }
                threads.set(role, found);
            }
        }
        return true;
    }

    private Thread spawned(int role) {
        for (var entry : Thread.getAllStackTraces().entrySet()) {
            boolean isOurs = !plan.isProgram && entry.getKey().getName().startsWith("role-");
            if (!isOurs && !threads.contains(entry.getKey()) && passes(entry.getValue(), role)) {
                return entry.getKey();
            }
        }
        return null;
    }

    /** Whether the stack leads through the method in which the role was stopped. */
    private boolean passes(StackTraceElement[] stack, int role) {
        return plan.stops.stream().filter(stop -> stop.role() == role).allMatch(stop ->
                Arrays.stream(stack).anyMatch(frame -> frame.getClassName().equals(stop.type())
                        && frame.getMethodName().equals(stop.method())));
    }

    /** The JVM's own report, and it is this circle: each thread waits for another, all the way round. */
    private boolean isReported() {
        long[] dead = BEAN.findDeadlockedThreads();
        if (dead == null || threads.size() < 2) {
            return false;
        }
        int at = 0;
        Set<Integer> met = new HashSet<>();
        while (met.add(at)) {
            long id = threads.get(at).getId();
            ThreadInfo info = BEAN.getThreadInfo(new long[] {id}, true, true)[0];
            boolean isDead = Arrays.stream(dead).anyMatch(it -> it == id);
            int next = info == null ? -1 : owner(info.getLockOwnerId());
            if (!isDead || next < 0 || !passes(info.getStackTrace(), at)) {
                return false;
            }
            at = next;
        }
        return at == 0 && met.size() == threads.size();
    }

    /** Same stacks, and no time spent on the processor but what looking at a waiting thread takes. */
    private boolean isStill(int millis) {
        List<List<StackTraceElement>> stacks = stacks();
        long[] before = spent();
        Attempt.pause(millis);
        long[] after = spent();
        for (int role = 0; role < before.length; role++) {
            if (after[role] - before[role] > LOOKING * millis) {
                return false;
            }
        }
        return isAlive() && stacks.equals(stacks());
    }

    private List<List<StackTraceElement>> stacks() {
        return threads.stream().map(thread -> List.of(thread.getStackTrace())).toList();
    }

    private long[] spent() {
        return threads.stream().mapToLong(thread -> BEAN.getThreadCpuTime(thread.getId())).toArray();
    }

    /** Whether what each thread does is what the plan says that it waits for. */
    private boolean isAsPlanned() {
        if (plan.kind == Plan.Kind.WAIT) {
            return isHopelessWait();
        }
        for (int role = 0; role < threads.size(); role++) {
            Thread thread = threads.get(role);
            StackTraceElement[] stack = thread.getStackTrace();
            boolean isParked = thread.getState() != Thread.State.RUNNABLE;
            if (plan.kind == Plan.Kind.INIT ? isParked || !isInitialising(stack, role)
                    : !isParked || !passes(stack, role) || !isWanting(stack, role)) {
                return false;
            }
        }
        return true;
    }

    /**
     * The first frame that is not a lock's own is where the lock is wanted. Who waits for a signal, parks of its
     * own accord or wants what a stranger holds is no part of the circle.
     */
    private boolean isWanting(StackTraceElement[] stack, int role) {
        Thread thread = threads.get(role);
        ThreadInfo info = BEAN.getThreadInfo(new long[] {thread.getId()}, true, true)[0];
        boolean isStrangers = info == null || info.getLockOwnerId() >= 0 && owner(info.getLockOwnerId()) < 0;
        boolean isQueued = thread.getState() == Thread.State.BLOCKED;
        for (StackTraceElement frame : stack) {
            String name = frame.getClassName();
            boolean isLock = name.startsWith("java.util.concurrent.locks.")
                    || name.equals("java.util.concurrent.Semaphore")
                    || name.startsWith("jdk.internal.misc.") || name.startsWith("java.lang.VirtualThread");
            if (!isLock) {
                return isQueued && !isStrangers
                        && (name + "." + frame.getMethodName()).equals(plan.roles.get(role).wants());
            }
            if (name.endsWith("$ConditionObject")) {
                return false;
            }
            isQueued |= name.startsWith("java.util.concurrent.locks.") && !name.endsWith(".LockSupport");
        }
        return false;
    }

    /** A thread that waits for the initialisation of a class is where it needs it, or in forName there. */
    private boolean isInitialising(StackTraceElement[] stack, int role) {
        if (stack.length == 0 || !passes(stack, role)) {
            return false;
        }
        boolean isByName = isReflection(stack[0]);
        String wants = plan.roles.get(role).wants();
        if (wants.equals("*")) {
            // A thread that runs, takes no time and is in no native method waits for a class.
            return isByName || !stack[0].isNativeMethod();
        }
        for (StackTraceElement frame : stack) {
            if (!isReflection(frame)) {
                return (frame.getClassName() + "." + frame.getMethodName()).equals(wants)
                        || wants.isEmpty() && isByName;
            }
        }
        return false;
    }

    /** Ways of the library to initialise a class on behalf of a caller: by its name, as a provider of a service. */
    private static boolean isReflection(StackTraceElement frame) {
        String name = frame.getClassName();
        return name.equals("java.lang.Class") || name.startsWith("java.util.ServiceLoader")
                || name.startsWith("java.lang.reflect.") || name.startsWith("jdk.internal.reflect.");
    }

    /** The first thread waits for a signal; the others are kept by a lock that it holds. */
    private boolean isHopelessWait() {
        Thread waiter = threads.get(0);
        if (waiter.getState() != Thread.State.WAITING) {
            return false;
        }
        for (Thread other : threads.subList(1, threads.size())) {
            ThreadInfo info = BEAN.getThreadInfo(new long[] {other.getId()}, true, true)[0];
            if (info == null || info.getLockOwnerId() != waiter.getId()) {
                return false;
            }
        }
        return threads.size() > 1 || Thread.getAllStackTraces().entrySet().stream()
                .anyMatch(it -> it.getKey() != waiter && isKept(it.getKey(), it.getValue(), waiter));
    }

    /** Whether the thread waits for a lock that the waiter holds, or for the class that it initialises. */
    private static boolean isKept(Thread thread, StackTraceElement[] stack, Thread waiter) {
        ThreadInfo info = BEAN.getThreadInfo(new long[] {thread.getId()}, true, true)[0];
        if (info != null && info.getLockOwnerId() == waiter.getId()) {
            return true;
        }
        boolean isInitialising = Arrays.stream(waiter.getStackTrace()).anyMatch(it -> it.getMethodName().equals("<clinit>"));
        if (!isInitialising || thread == Thread.currentThread() || stack.length == 0 || stack[0].isNativeMethod()
                || thread.getState() != Thread.State.RUNNABLE) {
            return false;
        }
        // A thread that runs, takes no time and is in no native method waits for a class.
        long before = BEAN.getThreadCpuTime(thread.getId());
        Attempt.pause(200);
        return BEAN.getThreadCpuTime(thread.getId()) - before <= LOOKING * 200
                && Arrays.equals(stack, thread.getStackTrace());
    }

    private List<String> describe() {
        List<String> lines = new ArrayList<>();
        for (int role = 0; role < threads.size(); role++) {
            ThreadInfo info = BEAN.getThreadInfo(new long[] {threads.get(role).getId()}, true, true)[0];
            StackTraceElement[] stack = threads.get(role).getStackTrace();
            StringBuilder line = new StringBuilder("thread " + (role + 1) + " ");
            LockInfo lock = info == null ? null : info.getLockInfo();
            line.append(lock == null ? "stands still" : "waits for a " + lock.getClassName());
            int owner = lock == null ? -1 : owner(info.getLockOwnerId());
            if (owner >= 0) {
                line.append(" that thread ").append(owner + 1).append(" holds");
            }
            Arrays.stream(stack).filter(frame -> !frame.getClassName().startsWith("java.util.concurrent.locks.")
                    && !frame.getClassName().startsWith("jdk.internal.")
                    && !frame.getClassName().startsWith("java.lang.reflect.")
                    && !frame.getClassName().startsWith("java.lang.Thread")
                    && !frame.getClassName().startsWith("jury.hang.")).limit(SHOWN)
                    .forEach(frame -> line.append(", at ").append(frame.getClassName()).append('.')
                            .append(frame.getMethodName()).append('(').append(frame.getFileName()).append(':')
                            .append(frame.getLineNumber()).append(')'));
            lines.add(line.toString());
        }
        return lines;
    }

    private int owner(long id) {
        for (int role = 0; role < threads.size(); role++) {
            if (threads.get(role).getId() == id) {
                return role;
            }
        }
        return -1;
    }
}
