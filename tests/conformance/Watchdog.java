import java.lang.reflect.InvocationTargetException;
import java.util.StringJoiner;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/** Runs calls one after the other on a thread that is given up when one takes longer than a second. */
final class Watchdog {
    private static final long LIMIT_MILLIS = 1000;

    private Worker worker = new Worker();

    /** The JSON members that say how the call ended. */
    String run(Subject subject, Object[] arguments) throws InterruptedException {
        worker.calls.put(() -> outcome(subject, arguments));
        String outcome = worker.outcomes.poll(LIMIT_MILLIS, TimeUnit.MILLISECONDS);
        if (outcome == null) {
            worker.giveUp();
            worker = new Worker();
            return excluded("time");
        }
        return outcome;
    }

    private static String outcome(Subject subject, Object[] arguments) {
        String outcome;
        try {
            Object value = subject.method().invoke(null, arguments);
            boolean isVoid = subject.method().getReturnType() == void.class;
            outcome = member("return", isVoid ? "void" : Literals.text(value));
        } catch (InvocationTargetException e) {
            Throwable thrown = e.getCause();
            // The initialiser of that class ran out of memory, stack or time in an earlier call.
            if (thrown instanceof NoClassDefFoundError) {
                return excluded("NoClassDefFoundError");
            }
            if (thrown instanceof OutOfMemoryError || thrown instanceof StackOverflowError) {
                return excluded(thrown.getClass().getSimpleName());
            }
            outcome = member("throw", thrown.getClass().getName());
        } catch (IllegalAccessException e) {
            return excluded("not accessible");
        } catch (OutOfMemoryError e) {
            return excluded("OutOfMemoryError");
        }
        StringJoiner arrays = new StringJoiner(",", ",\"arrays\":[", "]");
        for (Object argument : arguments) {
            if (argument != null && argument.getClass().isArray()) {
                arrays.add(Literals.json(Literals.text(argument)));
            }
        }
        return outcome + arrays;
    }

    private static String excluded(String why) {
        return member("excluded", why) + ",\"arrays\":[]";
    }

    private static String member(String outcome, String value) {
        return "\"outcome\":\"" + outcome + "\",\"value\":" + Literals.json(value);
    }

    private interface Call {
        String run();
    }

    private static final class Worker {
        final SynchronousQueue<Call> calls = new SynchronousQueue<>();
        final SynchronousQueue<String> outcomes = new SynchronousQueue<>();
        private final Thread thread = new Thread(this::serve);
        private volatile boolean isGivenUp;

        Worker() {
            thread.setDaemon(true);
            thread.start();
        }

        private void serve() {
            try {
                while (!isGivenUp) {
                    Call call = calls.take();
                    // Offered, not put: nobody may be waiting any more.
                    outcomes.offer(call.run(), 10, TimeUnit.SECONDS);
                }
            } catch (InterruptedException e) {
                // Given up.
            }
        }

        @SuppressWarnings({"removal", "deprecation"})
        void giveUp() {
            isGivenUp = true;
            thread.interrupt();
            try {
                // It would compete with the next calls for the processor.
                thread.stop();
            } catch (UnsupportedOperationException | NoSuchMethodError e) {
                thread.setPriority(Thread.MIN_PRIORITY);
            }
        }
    }
}
