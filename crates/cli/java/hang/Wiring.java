package jury.hang;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import jury.hang.Values.Made;
import jury.hang.Values.NotMade;

/**
 * Calls that tie the actors together: those after which one actor leads to another that it did not lead
 * to before. Others, which only change the state of one, are a decision each.
 */
final class Wiring {
    private static final int MAX_OBJECTS = 3000;
    private static final int MAX_CALLS = 60;
    /** Enough to fill what is small. */
    private static final int MANY = 20;

    /** The calls that tie, once a first trial has told. */
    private final Set<String> useful;
    private final List<String> repeated = new ArrayList<>();

    private Wiring(Set<String> useful) {
        this.useful = useful;
    }

    /** Makes all calls and sees which of them tie. */
    static Set<String> trial(Builder builder) throws NotMade {
        Wiring wiring = new Wiring(null);
        Set<String> found = new TreeSet<>();
        List<Made> actors = builder.actors();
        for (int a = 0; a < actors.size(); a++) {
            for (int b = 0; b < actors.size(); b++) {
                for (Method method : wiring.joining(builder, actors, a, b)) {
                    Object from = actors.get(a).value();
                    Object to = actors.get(b).value();
                    if (!leads(from, to) && wiring.join(builder, actors, a, b, method) != null && leads(from, to)) {
                        found.add(name(a, b, method));
                    }
                }
            }
        }
        return found;
    }

    static Wiring of(Set<String> useful) {
        return new Wiring(useful);
    }

    List<String> repeated() {
        return repeated;
    }

    /** Makes the calls; returns those that are to come between the starts of the roles. */
    List<Values.Call> apply(Builder builder) throws NotMade {
        List<Made> actors = builder.actors();
        List<Values.Call> between = new ArrayList<>();
        for (int a = 0; a < actors.size(); a++) {
            for (int b = 0; b < actors.size(); b++) {
                for (Method method : joining(builder, actors, a, b)) {
                    boolean isUsual = useful.contains(name(a, b, method));
                    boolean isFlipped = builder.choices.pick(2, isUsual ? 2 : 4) == 1;
                    String code = isUsual != isFlipped ? join(builder, actors, a, b, method) : null;
                    if (code != null) {
                        builder.source.lines.add(code + ";");
                    }
                }
            }
        }
        primeAlike(builder, actors);
        int calls = 0;
        for (Made actor : actors) {
            for (Method method : Ways.sortedMethods(actor.value().getClass())) {
                if (!isForState(builder, method) || ++calls > MAX_CALLS) {
                    continue;
                }
                switch (builder.choices.pick(4, 3)) {
                    case 1 -> prime(builder, actor, method, 1);
                    case 2 -> prime(builder, actor, method, MANY);
                    case 3 -> between.add(later(builder, actor, method));
                    default -> { }
                }
            }
        }
        return between;
    }

    /** Objects of one class often need the same call before they do anything to each other: an element. */
    private void primeAlike(Builder builder, List<Made> actors) throws NotMade {
        Set<Class<?>> classes = new HashSet<>();
        actors.forEach(actor -> classes.add(actor.value().getClass()));
        if (actors.size() < 2 || classes.size() > 1) {
            return;
        }
        int calls = 0;
        for (Method method : Ways.sortedMethods(classes.iterator().next())) {
            if (isForState(builder, method) && ++calls <= MAX_CALLS && builder.choices.pick(2, 2) == 1) {
                for (Made actor : actors) {
                    prime(builder, actor, method, 1);
                }
            }
        }
    }

    private static boolean isForState(Builder builder, Method method) {
        return !Modifier.isStatic(method.getModifiers()) && builder.mayUse(method);
    }

    private static String name(int a, int b, Method method) {
        return a + " " + b + " " + Ways.key(method);
    }

    /** Methods of the one actor that take the other. */
    private List<Method> joining(Builder builder, List<Made> actors, int a, int b) {
        List<Method> found = new ArrayList<>();
        for (Method method : a == b ? List.<Method>of() : Ways.sortedMethods(actors.get(a).value().getClass())) {
            boolean isStatic = Modifier.isStatic(method.getModifiers());
            if (!isStatic && position(method, actors.get(b)) >= 0 && builder.mayUse(method)) {
                found.add(method);
            }
        }
        return found;
    }

    private static int position(Method method, Made actor) {
        Class<?>[] parameters = method.getParameterTypes();
        for (int n = 0; n < parameters.length; n++) {
            boolean isVague = parameters[n].getName().startsWith("java.lang.");
            if (!isVague && parameters[n].isInstance(actor.value())) {
                return n;
            }
        }
        return -1;
    }

    /** Makes the call; null if it throws. */
    private String join(Builder builder, List<Made> actors, int a, int b, Method method) {
        try {
            List<Made> arguments = builder.arguments(method, 1);
            arguments.set(position(method, actors.get(b)), actors.get(b));
            return call(builder, actors.get(a), method, arguments);
        } catch (NotMade thrown) {
            return null;
        }
    }

    private void prime(Builder builder, Made actor, Method method, int times) throws NotMade {
        List<Made> arguments = builder.arguments(method, 1);
        String loop = times == 1 ? "" : "for (int i = 0; i < " + times + "; i++) ";
        String code = "";
        for (int n = 0; n < times; n++) {
            code = call(builder, actor, method, arguments);
        }
        builder.source.lines.add(loop + code + ";");
    }

    private Values.Call later(Builder builder, Made actor, Method method) throws NotMade {
        List<Made> arguments = builder.arguments(method, 1);
        builder.note(method);
        repeated.add(builder.callCode(actor, method, arguments));
        return () -> method.invoke(actor.value(), builder.values(arguments));
    }

    private static String call(Builder builder, Made actor, Method method, List<Made> arguments) throws NotMade {
        Values.attempt(() -> method.invoke(actor.value(), builder.values(arguments)));
        builder.note(method);
        return builder.callCode(actor, method, arguments);
    }

    /** Whether fields, arrays and collections lead from one object to the other. */
    private static boolean leads(Object from, Object to) {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        ArrayDeque<Object> open = new ArrayDeque<>(List.of(from));
        while (!open.isEmpty() && seen.size() < MAX_OBJECTS) {
            Object at = open.poll();
            if (at == to && at != from) {
                return true;
            }
            if (seen.add(at)) {
                parts(at, open);
            }
        }
        return false;
    }

    private static void parts(Object at, ArrayDeque<Object> open) {
        Class<?> type = at.getClass();
        if (at instanceof Collection<?> items) {
            add(items.toArray(), open);
        } else if (at instanceof Map<?, ?> map) {
            add(map.keySet().toArray(), open);
            add(map.values().toArray(), open);
        } else if (at instanceof Object[] items) {
            add(items, open);
        } else if (at instanceof java.util.concurrent.atomic.AtomicReference<?> reference) {
            add(new Object[] {reference.get()}, open);
        } else if (!type.isArray() && !type.getModule().isNamed()) {
            for (Class<?> up = type; up != null && !up.getModule().isNamed(); up = up.getSuperclass()) {
                for (Field field : up.getDeclaredFields()) {
                    if (!field.getType().isPrimitive() && !Modifier.isStatic(field.getModifiers())
                            && field.trySetAccessible()) {
                        try {
                            add(new Object[] {field.get(at)}, open);
                        } catch (IllegalAccessException closed) {
                            // Then nothing is seen of it.
                        }
                    }
                }
            }
        }
    }

    private static void add(Object[] items, ArrayDeque<Object> open) {
        for (Object item : items) {
            if (item != null && open.size() < MAX_OBJECTS) {
                open.add(item);
            }
        }
    }
}
