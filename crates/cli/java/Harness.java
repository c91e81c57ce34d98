package jury.replay;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Follows descriptions of witnesses: builds objects by reflection, makes calls, says what they
 * answered. One line in, one step; answers carry a token, because judged code may print too.
 *
 * <p>Written for Java 8, the oldest release that a judged program may run on.
 */
public final class Harness {
    private static final Map<String, Class<?>> PRIMITIVES = new HashMap<>();

    static {
        PRIMITIVES.put("Z", boolean.class);
        PRIMITIVES.put("B", byte.class);
        PRIMITIVES.put("C", char.class);
        PRIMITIVES.put("S", short.class);
        PRIMITIVES.put("I", int.class);
        PRIMITIVES.put("J", long.class);
        PRIMITIVES.put("F", float.class);
        PRIMITIVES.put("D", double.class);
        PRIMITIVES.put("V", void.class);
    }

    private final PrintStream out;
    private final String token;
    private final Map<Integer, Object> slots = new HashMap<>();
    /** Where judged classes come from: a new one where static state of earlier calls must not show. */
    private static ClassLoader loader = Harness.class.getClassLoader();
    /** Methods of these classes that were looked up before. */
    private static final Map<String, Method> methods = new HashMap<>();
    /** What the current witness calls is noted by this, if it is an observation. */
    private Observer observer;
    /** Why the current witness cannot go on, or null. */
    private String failure;

    private Harness(PrintStream out, String token) {
        this.out = out;
        this.token = token;
    }

    public static void main(String[] args) throws IOException {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, "UTF-8");
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        // One stream for good: who keeps it from the start prints to it later.
        Observer.capture();
        System.setIn(new ByteArrayInputStream(new byte[0]));
        Harness harness = new Harness(out, args[0]);
        harness.say("ready");
        out.flush();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            harness.step(line.split("\t", -1));
        }
        // Threads that judged code left behind must not keep the process alive.
        Runtime.getRuntime().halt(0);
    }

    private void say(String text) {
        out.print(token + " " + text + "\n");
    }

    private void step(String[] words) {
        if (words[0].equals("begin")) {
            slots.clear();
            failure = null;
            Observer.capture();
            observer = words.length > 1 ? new Observer() : null;
            if (words.length > 1 && words[1].equals("fresh")) {
                loader = freshLoader();
                methods.clear();
            }
            return;
        }
        if (words[0].equals("end")) {
            say(failure == null ? "done" : "fail " + failure.replaceAll("\\s+", " "));
            out.flush();
            return;
        }
        if (failure != null) {
            return;
        }
        try {
            if (words[0].equals("ask")) {
                ask(words);
            } else if (words[0].equals("observe")) {
                observe(words);
            } else if (words[0].equals("put")) {
                Field field = field(words[1], words[2], words[3]);
                field.set(slots.get(number(words[4])), slots.get(number(words[5])));
            } else if (words[0].equals("store")) {
                Array.set(slots.get(number(words[1])), number(words[2]), slots.get(number(words[3])));
            } else {
                slots.put(number(words[1]), make(words));
            }
        } catch (InvocationTargetException e) {
            failure = "threw " + e.getCause().getClass().getName();
        } catch (Throwable e) {
            failure = e.toString();
        }
    }

    private void ask(String[] words) throws Throwable {
        Method method = method(words[1], words[2], words[3]);
        Object[] arguments = arguments(words, 5);
        try {
            Object answer = method.invoke(slots.get(number(words[4])), arguments);
            if (answer instanceof Boolean) {
                say("boolean " + answer);
            } else if (answer instanceof Integer) {
                say("int " + answer);
            } else {
                throw new IllegalStateException("an answer that is neither boolean nor int");
            }
        } catch (InvocationTargetException e) {
            say("threw " + e.getCause().getClass().getName());
        }
    }

    /** Classes as if the JVM had just started. */
    private static ClassLoader freshLoader() {
        String[] paths = System.getProperty("java.class.path").split(java.io.File.pathSeparator);
        List<java.net.URL> urls = new ArrayList<>();
        for (String path : paths) {
            try {
                urls.add(new java.io.File(path).toURI().toURL());
            } catch (java.net.MalformedURLException e) {
                throw new IllegalStateException(e);
            }
        }
        ClassLoader platform = ClassLoader.getSystemClassLoader().getParent();
        return new java.net.URLClassLoader(urls.toArray(new java.net.URL[0]), platform);
    }

    /**
     * Makes a call and says what everyone can see of it. After the call come, each with its count,
     * static fields to look at, methods to ask afterwards, and further steps.
     */
    private void observe(String[] words) throws Throwable {
        Words left = new Words(words, 1);
        Observer.Scene scene = new Observer.Scene();
        String kind = left.next();
        String[] member = {left.next(), left.next(), left.next()};
        scene.inputs = slots(left);
        scene.names = left.array(scene.inputs.length);
        scene.isVoid = kind.equals("idle") || member[2].endsWith(")V") && !kind.equals("constructor");
        for (int n = left.number(); n > 0; n--) {
            scene.statics.add(field(left.next(), left.next(), left.next()));
        }
        for (int n = left.number(); n > 0; n--) {
            scene.probes.add(method(left.next(), left.next(), left.next()));
        }
        for (int n = left.number(); n > 0; n--) {
            scene.steps.add(furtherStep(left, scene));
        }
        for (int n = left.number(); n > 0; n--) {
            scene.meanwhile.add(furtherStep(left, scene));
        }
        Observer.Call call = call(kind, member, scene.inputs);
        say("given " + Observer.given(scene));
        say("seen 1\t" + observer.observe(call, scene));
    }

    private Observer.Step furtherStep(Words left, Observer.Scene scene) throws Throwable {
        int times = left.number();
        String kind = left.next();
        if (kind.equals("alter")) {
            Object object = slots.get(left.number());
            return new Observer.Step(times, true, () -> Observer.alter(object));
        }
        if (kind.equals("alter-returned")) {
            return new Observer.Step(times, true, () -> Observer.alter(scene.result));
        }
        String[] member = {left.next(), left.next(), left.next()};
        boolean isVoid = member[2].endsWith(")V");
        Object[] arguments = slots(left);
        scene.others.addAll(java.util.Arrays.asList(arguments));
        if (kind.equals("static")) {
            return new Observer.Step(times, isVoid, call(kind, member, arguments));
        }
        Method method = method(member[0], member[1], member[2]);
        boolean isOfResult = kind.equals("result") || kind.equals("returned");
        return new Observer.Step(times, isVoid, () -> {
            Object receiver = isOfResult ? scene.result : scene.inputs[0];
            if (receiver == null) {
                return null;
            }
            if (kind.equals("returned")) {
                Observer.requireMadeInside(receiver, scene.inputs);
            }
            return method.invoke(receiver, arguments);
        });
    }

    private Object[] slots(Words left) {
        Object[] found = new Object[left.number()];
        for (int i = 0; i < found.length; i++) {
            found[i] = slots.get(left.number());
        }
        return found;
    }

    /** Words of a line, one after the other. */
    private static final class Words {
        private final String[] words;
        private int at;

        Words(String[] words, int at) {
            this.words = words;
            this.at = at;
        }

        String next() {
            return words[at++];
        }

        int number() {
            return Integer.parseInt(next());
        }

        String[] array(int length) {
            at += length;
            return java.util.Arrays.copyOfRange(words, at - length, at);
        }
    }

    private static Observer.Call call(String kind, String[] member, Object[] inputs)
            throws Throwable {
        if (kind.equals("idle")) {
            return () -> null;
        }
        if (kind.equals("constructor")) {
            Constructor<?> constructor = constructor(member[0], member[2]);
            return () -> constructor.newInstance(inputs);
        }
        Method method = method(member[0], member[1], member[2]);
        if (kind.equals("static")) {
            return () -> method.invoke(null, inputs);
        }
        Object[] rest = java.util.Arrays.copyOfRange(inputs, 1, inputs.length);
        return () -> method.invoke(inputs[0], rest);
    }

    private Object make(String[] words) throws Throwable {
        switch (words[0]) {
            case "null":
                return null;
            case "boolean":
                return words[2].equals("true");
            case "byte":
                return Byte.valueOf(words[2]);
            case "char":
                return (char) number(words[2]);
            case "short":
                return Short.valueOf(words[2]);
            case "int":
                return Integer.valueOf(words[2]);
            case "long":
                return Long.valueOf(words[2]);
            case "float":
                return Float.intBitsToFloat(number(words[2]));
            case "double":
                return Double.longBitsToDouble(Long.parseLong(words[2]));
            case "text":
                return text(words[2]).intern();
            case "class":
                return type(words[2]);
            case "new":
                return constructor(words[2], words[3]).newInstance(arguments(words, 4));
            case "static":
                return method(words[2], words[3], words[4]).invoke(null, arguments(words, 5));
            case "call":
                return method(words[2], words[3], words[4])
                        .invoke(slots.get(number(words[5])), arguments(words, 6));
            case "constant":
                return field(words[2], words[3], words[4]).get(null);
            case "array":
                return array(words);
            case "stub":
                return stub(named(words[2]), replies(words));
            default:
                throw new IllegalStateException("unknown step " + words[0]);
        }
    }

    /** An implementation that equals only itself and does only what the interface itself does. */
    private Object stub(Class<?> type, Map<String, Observer.Reply> replies) {
        ClassLoader own = type.getClassLoader();
        if (observer != null) {
            return observer.stub(type, own == null ? loader : own, replies);
        }
        return java.lang.reflect.Proxy.newProxyInstance(
                own == null ? loader : own,
                new Class<?>[] {type},
                (proxy, method, args) -> {
                    if (method.getName().equals("equals") && args != null && args.length == 1) {
                        return proxy == args[0];
                    }
                    if (method.getName().equals("hashCode") && args == null) {
                        return System.identityHashCode(proxy);
                    }
                    if (method.isDefault()) {
                        return invokeDefault(proxy, method, args);
                    }
                    throw new AbstractMethodError(method.getName());
                });
    }

    /** What methods of a stub answer, by name and descriptor. */
    private Map<String, Observer.Reply> replies(String[] words) {
        Map<String, Observer.Reply> replies = new HashMap<>();
        for (int at = 3; at < words.length; at += 4) {
            Object value = slots.get(number(words[at + 3]));
            replies.put(words[at] + words[at + 1], new Observer.Reply(value, words[at + 2].equals("throw")));
        }
        return replies;
    }

    /** What the interface itself does, where this JDK lets a proxy do that. */
    private static Object invokeDefault(Object proxy, Method method, Object[] args)
            throws Throwable {
        Method invoke;
        try {
            invoke = java.lang.reflect.InvocationHandler.class.getMethod(
                    "invokeDefault", Object.class, Method.class, Object[].class);
        } catch (NoSuchMethodException older) {
            throw new AbstractMethodError(method.getName());
        }
        try {
            return invoke.invoke(null, proxy, method, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private Object array(String[] words) throws Throwable {
        Object[] items = arguments(words, 3);
        Object array = Array.newInstance(type(words[2]), items.length);
        for (int i = 0; i < items.length; i++) {
            Array.set(array, i, items[i]);
        }
        return array;
    }

    private Object[] arguments(String[] words, int from) {
        Object[] arguments = new Object[words.length - from];
        for (int i = from; i < words.length; i++) {
            arguments[i - from] = slots.get(number(words[i]));
        }
        return arguments;
    }

    private static String text(String units) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < units.length(); i += 4) {
            text.append((char) Integer.parseInt(units.substring(i, i + 4), 16));
        }
        return text.toString();
    }

    private static int number(String text) {
        return Integer.parseInt(text);
    }

    private static Class<?> type(String descriptor) throws ClassNotFoundException {
        Class<?> primitive = PRIMITIVES.get(descriptor);
        if (primitive != null) {
            return primitive;
        }
        String name = descriptor.startsWith("L")
                ? descriptor.substring(1, descriptor.length() - 1)
                : descriptor;
        return named(name);
    }

    private static Class<?> named(String internal) throws ClassNotFoundException {
        return Class.forName(internal.replace('/', '.'), false, loader);
    }

    private static Constructor<?> constructor(String owner, String descriptor) throws Throwable {
        Constructor<?> found = named(owner).getDeclaredConstructor(parameters(descriptor));
        open(found, found.getDeclaringClass());
        return found;
    }

    private static Method method(String owner, String name, String descriptor) throws Throwable {
        String key = owner + "." + name + descriptor;
        Method known = methods.get(key);
        if (known == null) {
            known = findMethod(owner, name, descriptor);
            methods.put(key, known);
        }
        return known;
    }

    private static Method findMethod(String owner, String name, String descriptor)
            throws Throwable {
        Class<?>[] parameters = parameters(descriptor);
        Class<?> result = type(descriptor.substring(descriptor.indexOf(')') + 1));
        List<Class<?>> types = supertypes(named(owner));
        for (Class<?> type : types) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals(name)
                        && method.getReturnType() == result
                        && java.util.Arrays.equals(method.getParameterTypes(), parameters)) {
                    open(method, type);
                    return method;
                }
            }
        }
        throw new NoSuchMethodException(owner + "." + name + descriptor);
    }

    private static Field field(String owner, String name, String descriptor) throws Throwable {
        Class<?> wanted = type(descriptor);
        for (Class<?> type : supertypes(named(owner))) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(name) && field.getType() == wanted) {
                    open(field, type);
                    return field;
                }
            }
        }
        throw new NoSuchFieldException(owner + "." + name);
    }

    /** The class, its superclasses, then all interfaces. */
    private static List<Class<?>> supertypes(Class<?> type) {
        List<Class<?>> found = new ArrayList<>();
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            found.add(c);
        }
        for (int i = 0; i < found.size(); i++) {
            for (Class<?> c : found.get(i).getInterfaces()) {
                if (!found.contains(c)) {
                    found.add(c);
                }
            }
        }
        if (type.isInterface()) {
            found.add(Object.class);
        }
        return found;
    }

    private static Class<?>[] parameters(String descriptor) throws ClassNotFoundException {
        List<Class<?>> found = new ArrayList<>();
        int at = 1;
        while (descriptor.charAt(at) != ')') {
            int end = at;
            while (descriptor.charAt(end) == '[') {
                end++;
            }
            end = descriptor.charAt(end) == 'L' ? descriptor.indexOf(';', end) + 1 : end + 1;
            found.add(type(descriptor.substring(at, end)));
            at = end;
        }
        return found.toArray(new Class<?>[0]);
    }

    /**
     * Lets the harness use what code in the same package may. Public members of exported packages
     * need nothing; those of a module that keeps its package closed are opened through the lookup
     * that the JDK keeps for itself.
     */
    private static void open(AccessibleObject member, Class<?> owner) throws Throwable {
        try {
            member.setAccessible(true);
        } catch (RuntimeException closed) {
            openPackage(owner);
            member.setAccessible(true);
        }
    }

    private static void openPackage(Class<?> owner) throws Throwable {
        Class<?> unsafeClass = Class.forName("sun.misc.Unsafe");
        Field theUnsafe = unsafeClass.getDeclaredField("theUnsafe");
        theUnsafe.setAccessible(true);
        Object unsafe = theUnsafe.get(null);
        Class<?> lookups = java.lang.invoke.MethodHandles.Lookup.class;
        Field trusted = lookups.getDeclaredField("IMPL_LOOKUP");
        Object base = unsafeClass.getMethod("staticFieldBase", Field.class).invoke(unsafe, trusted);
        Object offset =
                unsafeClass.getMethod("staticFieldOffset", Field.class).invoke(unsafe, trusted);
        java.lang.invoke.MethodHandles.Lookup lookup = (java.lang.invoke.MethodHandles.Lookup)
                unsafeClass.getMethod("getObject", Object.class, long.class)
                        .invoke(unsafe, base, offset);
        Object module = Class.class.getMethod("getModule").invoke(owner);
        java.lang.invoke.MethodHandle addOpens = lookup.findVirtual(
                module.getClass(),
                "implAddOpens",
                java.lang.invoke.MethodType.methodType(void.class, String.class));
        String name = owner.getName();
        addOpens.invokeWithArguments(module, name.substring(0, name.lastIndexOf('.')));
    }
}
