package jury.hang;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Values for parameters: actors where they fit, else what a caller might pass. */
final class Values {
    /** More objects inside of objects are not built. */
    private static final int DEEPEST = 3;

    /** A value, the type that the compiler gives to its expression, and the expression. */
    record Made(Object value, Class<?> type, String code) {}

    /** There is no such value, or making it failed. */
    static final class NotMade extends Exception {
        NotMade(String message) {
            super(message, null, false, false);
        }
    }

    private static final Map<String, String> PLAIN = Map.ofEntries(
            Map.entry("java.util.List", "java.util.ArrayList"),
            Map.entry("java.util.Collection", "java.util.ArrayList"),
            Map.entry("java.lang.Iterable", "java.util.ArrayList"),
            Map.entry("java.util.AbstractList", "java.util.ArrayList"),
            Map.entry("java.util.Set", "java.util.HashSet"),
            Map.entry("java.util.SortedSet", "java.util.TreeSet"),
            Map.entry("java.util.Map", "java.util.HashMap"),
            Map.entry("java.util.SortedMap", "java.util.TreeMap"),
            Map.entry("java.util.Queue", "java.util.ArrayDeque"),
            Map.entry("java.util.Deque", "java.util.ArrayDeque"),
            Map.entry("java.io.OutputStream", "java.io.ByteArrayOutputStream"),
            Map.entry("java.io.Writer", "java.io.StringWriter"),
            Map.entry("java.util.concurrent.locks.Lock", "java.util.concurrent.locks.ReentrantLock"),
            Map.entry("java.lang.Object", "java.lang.Object"));

    private final Builder builder;

    Values(Builder builder) {
        this.builder = builder;
    }

    Made argument(Class<?> type, int depth) throws NotMade {
        Choices choices = builder.choices;
        int price = 1 + depth;
        if (type.isPrimitive() || box(type) != null) {
            return primitive(type, price);
        }
        if (type == String.class || type == CharSequence.class) {
            List<String> texts = new ArrayList<>(List.of(builder.letter(), ""));
            texts.addAll(builder.plan.texts);
            texts.add("z");
            String text = texts.get(choices.pick(texts.size(), price + 1));
            return new Made(text, String.class, "\"" + text + "\"");
        }
        List<Option> options = new ArrayList<>();
        if (type != Object.class) {
            builder.fitting(type).forEach(made -> options.add(() -> made));
        }
        if (depth <= DEEPEST && builder.pending(type) >= 0) {
            options.add(() -> builder.actor(builder.pending(type)));
        }
        String nothing = "(" + builder.source.type(Source.nameable(type)) + ") null";
        Option none = () -> new Made(null, type, nothing);
        Option fresh = () -> {
            try {
                return depth > DEEPEST ? none.make() : fresh(type, depth);
            } catch (NotMade missing) {
                return none.make();
            }
        };
        // An object inside of one of its own kind ends the chain rather than going on.
        options.addAll(builder.isBuilding(type) ? List.of(none, fresh) : List.of(fresh, none));
        if (isForLocking(type) && !builder.isCalling()) {
            options.set(0, () -> kept(fresh.make()));
            options.addAll(1, locks.stream().filter(it -> type.isInstance(it.value())).map(it -> (Option) () -> it).toList());
        }
        return options.get(choices.pick(options.size(), price)).make();
    }

    /** Objects that are made to be locked, and that several may be given. */
    private final List<Made> locks = new ArrayList<>();

    private static boolean isForLocking(Class<?> type) {
        return type == Object.class || java.util.concurrent.locks.Lock.class.isAssignableFrom(type);
    }

    private Made kept(Made lock) {
        if (lock.value() == null) {
            return lock;
        }
        Made named = builder.declare(lock);
        locks.add(named);
        return named;
    }

    /** One more object of the type. */
    Made another(Class<?> type) throws NotMade {
        return fresh(type, 0);
    }

    private interface Option {
        Made make() throws NotMade;
    }

    private Made fresh(Class<?> type, int depth) throws NotMade {
        Source source = builder.source;
        if (type == Class.class) {
            return new Made(Object.class, Class.class, "Object.class");
        }
        if (type.isArray()) {
            Class<?> component = type.getComponentType();
            String code = "new " + source.type(component) + "[1]";
            if (component.isArray() || !Source.isOpen(component) && !component.isPrimitive()) {
                throw new NotMade("an array");
            }
            return new Made(Array.newInstance(component, 1), type, code);
        }
        if (type.isEnum()) {
            Object[] constants = type.getEnumConstants();
            if (constants.length == 0 || !Source.isOpen(type)) {
                throw new NotMade("an enum");
            }
            // The last is often the one that nothing filters out.
            int at = constants.length - 1 - builder.choices.pick(constants.length, 1 + depth);
            return new Made(constants[at], type, source.type(type) + "." + ((Enum<?>) constants[at]).name());
        }
        String plain = PLAIN.get(type.getName());
        if (plain != null) {
            try {
                Class<?> made = Class.forName(plain);
                return new Made(made.getConstructor().newInstance(), made,
                        "new " + source.type(made) + (made.getTypeParameters().length == 0 ? "()" : "<>()"));
            } catch (ReflectiveOperationException impossible) {
                throw new NotMade(plain);
            }
        }
        if (type.isInterface() && builder.plan.subtypes.getOrDefault(type.getName(), List.of()).isEmpty()) {
            return stub(type);
        }
        try {
            return new Ways(builder).make(type, depth + 1, false);
        } catch (NotMade missing) {
            if (type.isInterface()) {
                return stub(type);
            }
            throw missing;
        }
    }

    private Made stub(Class<?> type) throws NotMade {
        if (!Source.isOpen(type) || type.isSealed()) {
            throw new NotMade("a stub of " + type.getName());
        }
        builder.source.hasStubs = true;
        return new Made(Source.stub(type), type, "stub(" + builder.source.type(type) + ".class)");
    }

    private Made primitive(Class<?> type, int price) {
        Class<?> plain = type.isPrimitive() ? type : box(type);
        if (plain == boolean.class) {
            boolean value = builder.choices.pick(2, price) == 0;
            return new Made(value, type, Boolean.toString(value));
        }
        List<Long> values = new ArrayList<>(List.of(1L, 0L));
        values.addAll(builder.plan.numbers);
        values.addAll(List.of(2L, (long) Math.max(3, builder.plan.roles.size()), -1L, 1000L));
        long wide = values.get(builder.choices.pick(values.size(), price));
        int value = (int) wide;
        if (plain == int.class) {
            return new Made(value, type, Integer.toString(value));
        } else if (plain == long.class) {
            return new Made(wide, type, wide + "L");
        } else if (plain == double.class) {
            return new Made((double) value, type, value + ".0");
        } else if (plain == float.class) {
            return new Made((float) value, type, value + "f");
        } else if (plain == short.class) {
            return new Made((short) value, type, "(short) " + value);
        } else if (plain == byte.class) {
            return new Made((byte) value, type, "(byte) " + (byte) value);
        } else {
            return new Made((char) ('a' + Math.floorMod(value, 26)), type,
                    "'" + (char) ('a' + Math.floorMod(value, 26)) + "'");
        }
    }

    private static Class<?> box(Class<?> type) {
        return type == Integer.class ? int.class : type == Long.class ? long.class
                : type == Boolean.class ? boolean.class : type == Double.class ? double.class
                : type == Character.class ? char.class : type == Short.class ? short.class
                : type == Byte.class ? byte.class : type == Float.class ? float.class : null;
    }

    interface Call {
        Object run() throws ReflectiveOperationException;
    }

    /** What the call returns; what it throws is why nothing was made. */
    static Object attempt(Call call) throws NotMade {
        try {
            return call.run();
        } catch (InvocationTargetException thrown) {
            throw new NotMade(thrown.getCause().toString());
        } catch (ReflectiveOperationException | RuntimeException | LinkageError problem) {
            throw new NotMade(problem.toString());
        }
    }
}
