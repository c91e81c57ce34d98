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
 * what public methods say afterwards, calls that it made on stubs, and what it printed.
 */
final class Observer {
    private static final int MOST_PRINTED = 2000;
    private static final int MOST_CALLS = 200;

    /** {@code InvocationHandler.invokeDefault}, which JDKs have since 16. */
    private static final Method INVOKE_DEFAULT = invokeDefault();

    /** Calls on stubs, in order. */
    private final List<String> calls = new ArrayList<>();
    private int nStubs;

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

    /** What a call starts from, with private fields: trials speak of equal inputs only. */
    static String given(Object[] inputs, List<Field> statics) throws IllegalAccessException {
        Snapshot snapshot = new Snapshot(true);
        for (Object input : inputs) {
            snapshot.add(input);
        }
        for (Field field : statics) {
            snapshot.add(field.get(null));
        }
        return snapshot.toString();
    }

    /** Parts with a tab between: the outcome, the inputs, then what else was seen, each with a label. */
    String observe(Call call, Object[] inputs, List<Field> statics, List<Method> probes)
            throws ReflectiveOperationException {
        calls.clear();
        Snapshot snapshot = new Snapshot(false);
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream capture = new PrintStream(printed, true);
        System.setOut(capture);
        System.setErr(capture);
        Object result = null;
        try {
            result = call.make();
            snapshot.add(result);
        } catch (InvocationTargetException e) {
            snapshot.addThrown(settling(e.getCause()));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
        for (Object input : inputs) {
            snapshot.add(input);
        }
        for (Field field : statics) {
            snapshot.label(field.getName() + "=");
            snapshot.add(field.get(null));
        }
        List<String> made = new ArrayList<>(calls);
        probe(snapshot, "result.", result, probes);
        if (inputs.length > 0 && inputs[0] != result) {
            probe(snapshot, "", inputs[0], probes);
        }
        String text = snapshot.toString();
        if (!made.isEmpty()) {
            text += "\tcalls " + String.join(", ", made);
        }
        if (printed.size() > 0) {
            String all = printed.toString();
            String shown = all.substring(0, Math.min(all.length(), MOST_PRINTED));
            text += "\tprints " + Snapshot.quoted(shown);
        }
        return text;
    }

    /** A stack or heap that does not suffice, or classes that do not fit, say nothing of the code. */
    private static Throwable settling(Throwable thrown) {
        if (thrown instanceof VirtualMachineError || thrown instanceof LinkageError) {
            throw new IllegalStateException("it ended in " + thrown.getClass().getName());
        }
        return thrown;
    }

    /** What an object says of itself afterwards. */
    private void probe(Snapshot snapshot, String prefix, Object object, List<Method> probes)
            throws ReflectiveOperationException {
        for (Method probe : probes) {
            if (!probe.getDeclaringClass().isInstance(object)) {
                continue;
            }
            snapshot.label(prefix + probe.getName() + "() = ");
            try {
                snapshot.add(probe.invoke(object));
            } catch (InvocationTargetException e) {
                snapshot.addThrown(settling(e.getCause()));
            }
        }
    }

    /**
     * An implementation that notes each call. What it answers follows from the arguments: the first one
     * that fits, a small number or a bit made from their texts, and nothing else.
     */
    Object stub(Class<?> type, ClassLoader loader) {
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
                return INVOKE_DEFAULT.invoke(null, proxy, method, args);
            }
            Snapshot seen = new Snapshot(false);
            for (Object argument : args == null ? new Object[0] : args) {
                seen.add(argument);
            }
            if (calls.size() < MOST_CALLS) {
                String arguments = seen.toString().replace("\t", ", ");
                calls.add(type.getSimpleName() + "." + name + "(" + arguments + ")");
            }
            return answer(method, args == null ? new Object[0] : args, seen.toString());
        });
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
        for (Object argument : args) {
            if (type.isInstance(argument)) {
                return argument;
            }
        }
        return null;
    }
}
