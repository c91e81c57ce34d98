package jury.replay;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/**
 * One call, seen from outside: how it ended, what became of the objects passed to it, static fields,
 * what public methods say afterwards, further calls, calls that it made on stubs, and what it printed.
 */
final class Observer {
    private static final int MOST_PRINTED = 2000;
    private static final int MOST_KEPT = 1 << 16;
    private static final int MOST_CALLS = 200;

    /** What is printed, up to a limit. */
    private static final ByteArrayOutputStream PRINTED = new ByteArrayOutputStream() {
        @Override
        public synchronized void write(int b) {
            if (count < MOST_KEPT) {
                super.write(b);
            }
        }

        @Override
        public synchronized void write(byte[] b, int off, int len) {
            super.write(b, off, Math.max(0, Math.min(len, MOST_KEPT - count)));
        }
    };

    private static final PrintStream CAPTURE = new PrintStream(PRINTED, true);

    /** Lets all that is printed be noted, and forgets what was. */
    static void capture() {
        System.setOut(CAPTURE);
        System.setErr(CAPTURE);
        PRINTED.reset();
    }

    /** {@code InvocationHandler.invokeDefault}, which JDKs have since 16. */
    private static final Method INVOKE_DEFAULT = invokeDefault();

    /** Calls on stubs, in order. */
    private final List<String> calls = new ArrayList<>();
    private int nStubs;
    /** Asked whenever a stub is called; null while nothing is observed. */
    private Object receiver;
    private List<Method> probes = new ArrayList<>();
    /** What is still to be done when a stub is called. */
    private List<Step> meanwhile = new ArrayList<>();

    private static Method invokeDefault() {
        try {
            return java.lang.reflect.InvocationHandler.class.getMethod(
                    "invokeDefault", Object.class, Method.class, Object[].class);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    interface Call {
        Object make() throws ReflectiveOperationException;
    }

    /** What a method of a stub always answers. */
    static final class Reply {
        final Object value;
        final boolean isThrown;

        Reply(Object value, boolean isThrown) {
            this.value = value;
            this.isThrown = isThrown;
        }
    }

    /** A further call, or something done to an object that was passed in. */
    static final class Step {
        final int times;
        final boolean isVoid;
        final Call call;

        Step(int times, boolean isVoid, Call call) {
            this.times = times;
            this.isVoid = isVoid;
            this.call = call;
        }
    }

    /** What is called, and what is looked at. */
    static final class Scene {
        /** The receiver, if there is one, and the arguments, with their names. */
        Object[] inputs;
        String[] names;
        boolean isVoid;
        List<Field> statics = new ArrayList<>();
        List<Method> probes = new ArrayList<>();
        List<Step> steps = new ArrayList<>();
        /** Done by the first callback. */
        List<Step> meanwhile = new ArrayList<>();
        /** Passed to further calls. */
        List<Object> others = new ArrayList<>();
        Object result;
    }

    /** What a call starts from, with private fields: trials speak of equal inputs only. */
    static String given(Scene scene) throws IllegalAccessException {
        Snapshot snapshot = new Snapshot(true);
        for (int i = 0; i < scene.inputs.length; i++) {
            snapshot.add("", scene.names[i], scene.inputs[i]);
        }
        for (Field field : scene.statics) {
            snapshot.add("", field.getName(), field.get(null));
        }
        for (Object other : scene.others) {
            snapshot.add("", "another", other);
        }
        return snapshot.toString();
    }

    /** Parts with a tab between: the outcome, the inputs, then what else was seen, each with a label. */
    String observe(Call call, Scene scene) throws ReflectiveOperationException {
        calls.clear();
        Snapshot snapshot = new Snapshot(false);
        PRINTED.reset();
        receiver = scene.names.length > 0 && scene.names[0].equals("x") ? scene.inputs[0] : null;
        probes = scene.probes;
        meanwhile = scene.meanwhile;
        List<String> made;
        try {
            scene.result = call(call, "", "the result", scene.isVoid, snapshot);
            meanwhile = new ArrayList<>();
            made = new ArrayList<>(calls);
            look(snapshot, scene);
            for (int i = 0; i < scene.steps.size(); i++) {
                step(snapshot, i + 1, scene.steps.get(i));
            }
        } finally {
            receiver = null;
            meanwhile = new ArrayList<>();
        }
        if (!made.isEmpty()) {
            snapshot.say("calls " + String.join(", ", made));
        }
        if (!scene.steps.isEmpty()) {
            end(snapshot, scene);
        }
        if (calls.size() > made.size()) {
            List<String> later = calls.subList(made.size(), calls.size());
            snapshot.say("later calls " + String.join(", ", later));
        }
        if (PRINTED.size() > 0) {
            String all = PRINTED.toString();
            String shown = all.substring(0, Math.min(all.length(), MOST_PRINTED));
            snapshot.say("prints " + Snapshot.quoted(shown));
        }
        return snapshot.toString();
    }

    /** How a call ends. */
    private static Object call(Call call, String label, String place, boolean isVoid, Snapshot snapshot)
            throws ReflectiveOperationException {
        Object result;
        try {
            result = call.make();
        } catch (InvocationTargetException e) {
            snapshot.say(label + "throws " + Snapshot.nameOf(settling(e.getCause()).getClass()));
            return null;
        }
        if (isVoid) {
            snapshot.say(label + "ends");
        } else {
            snapshot.add(label + "returns ", place, result);
        }
        return result;
    }

    private void look(Snapshot snapshot, Scene scene) throws ReflectiveOperationException {
        for (int i = 0; i < scene.inputs.length; i++) {
            if (canChange(scene.inputs[i])) {
                snapshot.add("afterwards " + scene.names[i] + " = ", scene.names[i], scene.inputs[i]);
            }
        }
        for (Field field : scene.statics) {
            snapshot.add(field.getName() + " = ", field.getName(), field.get(null));
        }
        probe(snapshot, "the result", scene.result);
        if (receiver != null && receiver != scene.result) {
            probe(snapshot, "x", receiver);
        }
    }

    /** The last of several calls counts; how each of them ends shows in what comes after it. */
    private static void step(Snapshot snapshot, int number, Step step)
            throws ReflectiveOperationException {
        for (int i = 1; i < step.times; i++) {
            try {
                step.call.make();
            } catch (InvocationTargetException e) {
                settling(e.getCause());
            }
        }
        String place = "the result of step " + number;
        call(step.call, "then #" + number + "# ", place, step.isVoid, snapshot);
    }

    /** What became of everything in the end. */
    private static void end(Snapshot snapshot, Scene scene) throws IllegalAccessException {
        Snapshot last = new Snapshot(false);
        if (canChange(scene.result)) {
            last.add("in the end the first result = ", "the result", scene.result);
        }
        for (int i = 0; i < scene.inputs.length; i++) {
            if (canChange(scene.inputs[i])) {
                last.add("in the end " + scene.names[i] + " = ", scene.names[i], scene.inputs[i]);
            }
        }
        if (!last.toString().isEmpty()) {
            snapshot.say(last.toString());
        }
    }

    /**
     * What an object of a class with a name does is said of that class; what a lambda or an anonymous
     * object does is the doing of who made it.
     */
    static void requireMadeInside(Object object, Object[] inputs) {
        Class<?> type = object.getClass();
        boolean isNamed = !type.isSynthetic() && !type.isAnonymousClass() && !type.isLocalClass()
                && !Snapshot.isOfThePlatform(type);
        boolean isGiven = false;
        for (Object input : inputs) {
            isGiven |= input == object;
        }
        if (isNamed || isGiven || Proxy.isProxyClass(type)) {
            throw new IllegalStateException("what it returns is not its own");
        }
    }

    private static boolean canChange(Object value) {
        return value != null
                && !(value instanceof String)
                && !(value instanceof Character)
                && !(value instanceof Boolean)
                && !(value instanceof Class)
                && !(value instanceof Enum)
                && !(value instanceof Number && value.getClass().getName().startsWith("java.lang."));
    }

    /** Writes to an object that the caller still has. */
    static Object alter(Object object) {
        try {
            if (object instanceof java.util.Collection) {
                ((java.util.Collection<?>) object).clear();
            } else if (object instanceof java.util.Map) {
                ((java.util.Map<?, ?>) object).clear();
            }
        } catch (UnsupportedOperationException e) {
            // That it refuses shows by its kind.
            return null;
        }
        if (object == null || !object.getClass().isArray() || java.lang.reflect.Array.getLength(object) == 0) {
            return null;
        }
        if (object instanceof boolean[]) {
            ((boolean[]) object)[0] = !((boolean[]) object)[0];
        } else if (object instanceof byte[]) {
            ((byte[]) object)[0]++;
        } else if (object instanceof char[]) {
            ((char[]) object)[0]++;
        } else if (object instanceof short[]) {
            ((short[]) object)[0]++;
        } else if (object instanceof int[]) {
            ((int[]) object)[0]++;
        } else if (object instanceof long[]) {
            ((long[]) object)[0]++;
        } else if (object instanceof float[]) {
            ((float[]) object)[0]++;
        } else if (object instanceof double[]) {
            ((double[]) object)[0]++;
        } else if (object instanceof Object[]) {
            ((Object[]) object)[0] = null;
        }
        return null;
    }

    /** A stack or heap that does not suffice, or classes that do not fit, say nothing of the code. */
    private static Throwable settling(Throwable thrown) {
        if (thrown instanceof VirtualMachineError || thrown instanceof LinkageError) {
            throw new IllegalStateException("it ended in " + thrown.getClass().getName());
        }
        return thrown;
    }

    /** What an object says of itself afterwards. */
    private void probe(Snapshot snapshot, String place, Object object)
            throws ReflectiveOperationException {
        for (Method probe : probes) {
            if (probe.getDeclaringClass().isInstance(object)) {
                String text = place + "." + probe.getName() + "()";
                call(() -> probe.invoke(object), text + " ", text, false, snapshot);
            }
        }
    }

    /**
     * An implementation that notes each call. Where it has no reply, what it answers follows from the
     * arguments: the first one that fits, a small number or a bit made from their texts, and nothing else.
     */
    Object stub(Class<?> type, ClassLoader loader, java.util.Map<String, Reply> replies) {
        int number = ++nStubs;
        return Proxy.newProxyInstance(loader, new Class<?>[] {type}, (proxy, method, args) -> {
            String name = method.getName();
            if (name.equals("equals") && args != null && args.length == 1) {
                return proxy == args[0];
            }
            if (name.equals("hashCode") && args == null) {
                return number;
            }
            if (name.equals("toString") && args == null) {
                return "stub " + number;
            }
            if (method.isDefault() && INVOKE_DEFAULT != null) {
                try {
                    return INVOKE_DEFAULT.invoke(null, proxy, method, args);
                } catch (InvocationTargetException thrown) {
                    throw thrown.getCause();
                }
            }
            Snapshot seen = new Snapshot(false);
            for (Object argument : args == null ? new Object[0] : args) {
                seen.add("", "an argument", argument);
            }
            if (calls.size() < MOST_CALLS) {
                String arguments = seen.toString().replace("\t", ", ");
                String which = number == 1 ? "" : " " + number;
                calls.add(type.getSimpleName() + which + "." + name + "(" + arguments + ")" + during());
            }
            meanwhile();
            Reply reply = replies.get(name + descriptor(method));
            if (reply != null && reply.isThrown) {
                throw (Throwable) reply.value;
            }
            if (reply != null) {
                return reply.value;
            }
            return answer(method, args == null ? new Object[0] : args, seen.toString());
        });
    }

    /** What the receiver says while a stub is called: a callback may ask it. */
    private String during() throws ReflectiveOperationException {
        Object asked = receiver;
        if (asked == null || probes.isEmpty()) {
            return "";
        }
        receiver = null;
        try {
            Snapshot snapshot = new Snapshot(false);
            probe(snapshot, "x", asked);
            return " while " + snapshot.toString().replace("\t", ", ");
        } finally {
            receiver = asked;
        }
    }

    private static String descriptor(Method method) {
        return java.lang.invoke.MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .toMethodDescriptorString();
    }

    /** What the first callback does before it answers. */
    private void meanwhile() throws Throwable {
        List<Step> steps = meanwhile;
        meanwhile = new ArrayList<>();
        for (Step step : steps) {
            try {
                step.call.make();
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        }
    }

    private static Object answer(Method method, Object[] args, String seen) {
        Class<?> type = method.getReturnType();
        boolean compares = args.length == 2 && type == int.class;
        int number = args.length == 0 || compares ? 0 : seen.hashCode() & 7;
        if (type == boolean.class) {
            return (number & 1) != 0;
        } else if (type == char.class) {
            return (char) number;
        } else if (type == byte.class) {
            return (byte) number;
        } else if (type == short.class) {
            return (short) number;
        } else if (type == int.class) {
            return number;
        } else if (type == long.class) {
            return (long) number;
        } else if (type == float.class) {
            return (float) number;
        } else if (type == double.class) {
            return (double) number;
        }
        // Nothing says here what stands for a type parameter, but null is of every type.
        if (!(method.getGenericReturnType() instanceof Class)) {
            return null;
        }
        for (Object argument : args) {
            if (type.isInstance(argument)) {
                return argument;
            }
        }
        return null;
    }
}
