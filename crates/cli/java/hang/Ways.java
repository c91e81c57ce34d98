package jury.hang;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import jury.hang.Values.Made;
import jury.hang.Values.NotMade;

/** The ways to an object of a class: constructors, factories, constants, what other objects hand out. */
final class Ways {
    /** Which way comes first is decided among these; the others are tried after it in order. */
    private static final int DECIDED = 6;

    private interface Way {
        Made follow() throws NotMade;
    }

    private final Builder builder;

    Ways(Builder builder) {
        this.builder = builder;
    }

    Made make(Class<?> type, int depth, boolean isActor) throws NotMade {
        List<Way> ways = new ArrayList<>();
        for (Class<?> concrete : concrete(type)) {
            constructors(concrete, depth, ways);
        }
        factories(type, depth, ways);
        produced(type, depth, ways);
        constants(type, ways);
        if (ways.isEmpty()) {
            throw new NotMade("no way to make " + type.getName());
        }
        int first = builder.choices.pick(Math.min(ways.size(), DECIDED), isActor ? 2 : 2 + depth);
        NotMade last = null;
        for (int n = 0; n < ways.size(); n++) {
            try {
                Made made = ways.get((first + n) % ways.size()).follow();
                if (type.isInstance(made.value())) {
                    return made;
                }
            } catch (NotMade missing) {
                last = missing;
            }
        }
        throw last != null ? last : new NotMade("nothing makes " + type.getName());
    }

    /** The class, or classes below it if it has no objects of its own. */
    private List<Class<?>> concrete(Class<?> type) {
        List<Class<?>> found = new ArrayList<>();
        if (!Modifier.isAbstract(type.getModifiers())) {
            found.add(type);
        }
        for (String name : builder.plan.subtypes.getOrDefault(type.getName(), List.of())) {
            try {
                found.add(Class.forName(name, false, type.getClassLoader()));
            } catch (ClassNotFoundException | LinkageError missing) {
                // Then it is none of the ways.
            }
        }
        return found;
    }

    private void constructors(Class<?> type, int depth, List<Way> ways) {
        if (!builder.isOpen(type)) {
            return;
        }
        List<Constructor<?>> open = new ArrayList<>();
        for (Constructor<?> constructor : declaredConstructors(type)) {
            if (builder.mayUse(constructor)) {
                open.add(constructor);
            }
        }
        open.sort(Comparator
                .comparing((Constructor<?> it) -> !Modifier.isPublic(it.getModifiers()))
                .thenComparing(it -> -builder.nActorParameters(it))
                .thenComparing(Constructor::getParameterCount)
                .thenComparing(it -> Arrays.toString(it.getParameterTypes())));
        boolean isInner = type.isMemberClass() && !Modifier.isStatic(type.getModifiers());
        for (Constructor<?> constructor : open) {
            ways.add(() -> construct(type, constructor, isInner, depth));
        }
    }

    private Made construct(Class<?> type, Constructor<?> constructor, boolean isInner, int depth)
            throws NotMade {
        List<Made> arguments = builder.arguments(constructor, depth);
        Object value = Values.attempt(() -> constructor.newInstance(builder.values(arguments)));
        builder.note(constructor);
        String generic = type.getTypeParameters().length > 0 ? "<>" : "";
        String code = isInner
                ? arguments.get(0).code() + ".new " + type.getSimpleName() + generic + "("
                        + builder.codes(constructor, arguments.subList(1, arguments.size()), 1) + ")"
                : "new " + builder.source.type(type) + generic + "("
                        + builder.codes(constructor, arguments, 0) + ")";
        return new Made(value, type, code);
    }

    /** Static methods of the class, of those around it and of the roles. */
    private void factories(Class<?> type, int depth, List<Way> ways) {
        Set<Class<?>> owners = new LinkedHashSet<>();
        for (Class<?> at = type; at != null; at = at.getEnclosingClass()) {
            owners.add(at);
        }
        owners.addAll(builder.roleClasses());
        for (Class<?> owner : owners) {
            for (Method method : sortedMethods(owner)) {
                if (Modifier.isStatic(method.getModifiers()) && makes(method.getReturnType(), type)
                        && builder.mayUse(method) && builder.isOpen(owner)) {
                    ways.add(() -> call(null, method, depth, type));
                }
            }
        }
    }

    /** What methods of the actors return, of those too that are still to be made. */
    private void produced(Class<?> type, int depth, List<Way> ways) {
        for (int actor = 0; actor < builder.plan.actors.size(); actor++) {
            Class<?> owner = builder.actorClass(actor);
            if (owner == null || type.isAssignableFrom(owner)) {
                continue;
            }
            int number = actor;
            for (Method method : sortedMethods(owner)) {
                if (!Modifier.isStatic(method.getModifiers()) && makes(method.getReturnType(), type)
                        && builder.mayUse(method)) {
                    ways.add(() -> call(builder.actor(number), method, depth, type));
                }
            }
        }
    }

    private Made call(Made receiver, Method method, int depth, Class<?> type) throws NotMade {
        List<Made> arguments = builder.arguments(method, depth);
        Object self = receiver == null ? null : receiver.value();
        Object value = Values.attempt(() -> method.invoke(self, builder.values(arguments)));
        builder.note(method);
        String code = builder.callCode(receiver, method, arguments);
        if (!method.getReturnType().isArray()) {
            return cast(new Made(value, method.getReturnType(), code), type);
        }
        if (value == null) {
            throw new NotMade("no array");
        }
        // All elements become objects that are there; the first is what was asked for.
        Class<?> component = method.getReturnType().getComponentType();
        String name = builder.source.variable(method.getReturnType());
        builder.source.lines.add(builder.source.type(method.getReturnType()) + " " + name + " = " + code + ";");
        Made first = null;
        for (int n = 0; n < Array.getLength(value); n++) {
            Made element = new Made(Array.get(value, n), component, name + "[" + n + "]");
            if (n == 0) {
                first = element;
            } else {
                builder.offer(element);
            }
        }
        if (first == null) {
            throw new NotMade("an empty array");
        }
        return first;
    }

    /** A factory declared to return more than is meant. */
    private Made cast(Made made, Class<?> type) {
        if (type.isAssignableFrom(made.type()) || !Source.isOpen(type) || !type.isInstance(made.value())) {
            return made;
        }
        return new Made(made.value(), type, "(" + builder.source.type(type) + ") " + made.code());
    }

    private void constants(Class<?> type, List<Way> ways) {
        Field[] fields;
        try {
            fields = type.getFields();
        } catch (LinkageError missing) {
            return;
        }
        Arrays.sort(fields, Comparator.comparing(Field::getName));
        for (Field field : fields) {
            if (Modifier.isStatic(field.getModifiers()) && type.isAssignableFrom(field.getType())
                    && Source.isOpen(field.getDeclaringClass())) {
                ways.add(() -> new Made(Values.attempt(() -> field.get(null)), field.getType(),
                        builder.source.type(field.getDeclaringClass()) + "." + field.getName()));
            }
        }
    }

    private static boolean makes(Class<?> result, Class<?> type) {
        Class<?> plain = result.isArray() ? result.getComponentType() : result;
        boolean isVague = plain == Object.class || plain.isPrimitive();
        return !isVague && (type.isAssignableFrom(plain) || plain.isAssignableFrom(type));
    }

    private static Constructor<?>[] declaredConstructors(Class<?> type) {
        try {
            return type.getDeclaredConstructors();
        } catch (LinkageError missing) {
            return new Constructor<?>[0];
        }
    }

    /** The methods of the class and those above it, overridden ones once. */
    static List<Method> sortedMethods(Class<?> type) {
        List<Method> found = new ArrayList<>();
        Set<String> seen = new LinkedHashSet<>();
        try {
            for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
                collect(at.getDeclaredMethods(), found, seen);
            }
            collect(type.getMethods(), found, seen);
        } catch (LinkageError missing) {
            return found;
        }
        found.removeIf(method -> method.getDeclaringClass() == Object.class);
        return found;
    }

    private static void collect(Method[] methods, List<Method> found, Set<String> seen) {
        Arrays.sort(methods, Comparator.comparing(Method::getName)
                .thenComparing(it -> Arrays.toString(it.getParameterTypes()))
                .thenComparing(it -> it.getReturnType().getName()));
        for (Method method : methods) {
            if (!method.isSynthetic() && seen.add(key(method))) {
                found.add(method);
            }
        }
    }

    static String key(Executable method) {
        return method.getName() + Arrays.toString(method.getParameterTypes());
    }
}
