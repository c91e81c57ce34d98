package support;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import sun.misc.Unsafe;

/**
 * Random inputs for one version of a program. The same seed gives isomorphic inputs for both versions,
 * shared and cyclic structures included. Interfaces that the program does not implement become stand-ins
 * that write every call into the trace.
 */
final class Inputs {
    private static final Unsafe UNSAFE = unsafe();
    private static final int MAX_DEPTH = 5;
    private static final String[] WORDS = {
        "", "a", "b", "ab", "ba", "abc", "A", "aB", " a ", "12", "-3", "0", "x,y", "a b", "aaaa", "\u00e9", "007", "true",
        "\ud83d\ude00", "stra\u00dfe", "\u2003x"
    };

    private final Random random;
    private final List<Class<?>> classes;
    private final List<String> trace;
    private final List<Object> made = new ArrayList<>();
    private final boolean shared;
    private int left = 24;

    Inputs(long seed, List<Class<?>> classes, List<String> trace) {
        this.random = new Random(seed);
        this.classes = classes;
        this.trace = trace;
        this.shared = random.nextInt(3) == 0;
    }

    Object make(Type type) {
        return make(type, Map.of(), 0);
    }

    private Object make(Type type, Map<TypeVariable<?>, Type> bound, int depth) {
        if (type instanceof TypeVariable<?> variable) {
            Type known = bound.get(variable);
            return make(known != null ? known : variable.getBounds()[0], Map.of(), depth);
        }
        if (type instanceof WildcardType wildcard) {
            return make(wildcard.getUpperBounds()[0], bound, depth);
        }
        if (type instanceof java.lang.reflect.GenericArrayType array) {
            Class<?> element = raw(array.getGenericComponentType(), bound);
            return array(element, array.getGenericComponentType(), bound, depth);
        }
        Class<?> c = raw(type, bound);
        if (c.isPrimitive()) {
            return primitive(c);
        }
        if (depth > 0 && random.nextInt(8) == 0 || depth > MAX_DEPTH || left <= 0) {
            return null;
        }
        if (depth == 0 && random.nextInt(12) == 0) {
            return null;
        }
        if ((shared || depth == 0) && random.nextInt(3) == 0) {
            for (int i = random.nextInt(made.size() + 1), n = 0; n < made.size(); n++) {
                Object known = made.get((i + n) % made.size());
                if (c.isInstance(known)) {
                    return known;
                }
            }
        }
        left--;
        if (c.isArray()) {
            return array(c.getComponentType(), c.getComponentType(), bound, depth);
        }
        return object(c, type, bound, depth);
    }

    private Object array(Class<?> element, Type type, Map<TypeVariable<?>, Type> bound, int depth) {
        if (element == Object.class && random.nextInt(3) == 0) {
            element = random.nextBoolean() ? String.class : Integer.class;
            type = element;
        }
        int length = random.nextInt(3) == 0 ? random.nextInt(3) : random.nextInt(7);
        Object array = Array.newInstance(element, length);
        made.add(array);
        for (int i = 0; i < length; i++) {
            Array.set(array, i, make(type, bound, depth + 1));
        }
        return array;
    }

    private Object object(Class<?> c, Type type, Map<TypeVariable<?>, Type> bound, int depth) {
        if (c == String.class || c == CharSequence.class) {
            String word = WORDS[random.nextInt(WORDS.length)];
            return random.nextBoolean() ? word : new String(word);
        }
        Class<?> unboxed = PRIMITIVES.get(c);
        if (unboxed != null) {
            return primitive(unboxed);
        }
        if (c == Object.class || c == Comparable.class || c == Number.class) {
            return any(c, depth);
        }
        if (c == StringBuilder.class) {
            return remember(new StringBuilder(WORDS[random.nextInt(WORDS.length)]));
        }
        Type[] arguments = type instanceof ParameterizedType p ? p.getActualTypeArguments() : new Type[0];
        if (c == List.class || c == ArrayList.class || c == Collection.class || c == Iterable.class) {
            List<Object> list = remember(new ArrayList<>());
            for (int i = random.nextInt(5); i > 0; i--) {
                list.add(make(arguments.length == 1 ? arguments[0] : Object.class, bound, depth + 1));
            }
            return list;
        }
        if (c == Map.class || c == HashMap.class) {
            Map<Object, Object> map = remember(new HashMap<>());
            for (int i = random.nextInt(5); i > 0; i--) {
                Object key = make(arguments.length == 2 ? arguments[0] : String.class, bound, depth + 1);
                map.put(key, make(arguments.length == 2 ? arguments[1] : Integer.class, bound, depth + 1));
            }
            return map;
        }
        return instance(c, arguments, bound, depth);
    }

    private <T> T remember(T object) {
        made.add(object);
        return object;
    }

    private Object any(Class<?> c, int depth) {
        switch (random.nextInt(c == Object.class ? 5 : 3)) {
            case 0:
                return random.nextInt(300) - 100;
            case 1:
                return c == Number.class ? (Object) primitive(double.class) : WORDS[random.nextInt(WORDS.length)];
            case 2:
                return c == Number.class ? (Object) primitive(long.class) : WORDS[random.nextInt(WORDS.length)];
            case 3:
                return remember(new int[] {1, 2});
            default:
                return classes.isEmpty() ? null : make(classes.get(random.nextInt(classes.size())), Map.of(), depth + 1);
        }
    }

    private Object instance(Class<?> c, Type[] arguments, Map<TypeVariable<?>, Type> outer, int depth) {
        List<Class<?>> choices = new ArrayList<>();
        for (Class<?> candidate : classes) {
            if (c.isAssignableFrom(candidate) && !Modifier.isAbstract(candidate.getModifiers())) {
                choices.add(candidate);
            }
        }
        if (choices.isEmpty()) {
            return c.isInterface() ? standIn(c) : null;
        }
        Class<?> chosen = choices.get(random.nextInt(choices.size()));
        if (chosen.isEnum()) {
            Object[] constants = chosen.getEnumConstants();
            return constants[random.nextInt(constants.length)];
        }
        Map<TypeVariable<?>, Type> bound = new HashMap<>();
        TypeVariable<?>[] variables = chosen.getTypeParameters();
        for (int i = 0; i < variables.length && i < arguments.length; i++) {
            Type argument = arguments[i];
            if (argument instanceof TypeVariable<?> v) {
                argument = outer.getOrDefault(v, v.getBounds()[0]);
            }
            bound.put(variables[i], argument);
        }
        try {
            return chosen.isRecord() ? record(chosen, bound, depth) : filled(chosen, bound, depth);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private Object record(Class<?> c, Map<TypeVariable<?>, Type> bound, int depth) throws ReflectiveOperationException {
        RecordComponent[] components = c.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = make(components[i].getGenericType(), bound, depth + 1);
        }
        Constructor<?> constructor = c.getDeclaredConstructor(types);
        constructor.setAccessible(true);
        try {
            return remember(constructor.newInstance(values));
        } catch (java.lang.reflect.InvocationTargetException e) {
            return null;
        }
    }

    private Object filled(Class<?> c, Map<TypeVariable<?>, Type> bound, int depth) throws ReflectiveOperationException {
        Object object = remember(UNSAFE.allocateInstance(c));
        for (Class<?> k = c; k != null && classes.contains(k); k = k.getSuperclass()) {
            for (Field field : Heap.fields(k)) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    field.set(object, make(field.getGenericType(), bound, depth + 1));
                }
            }
        }
        return object;
    }

    private Object standIn(Class<?> c) {
        Random answers = new Random(random.nextLong());
        int number = made.size();
        return remember(Proxy.newProxyInstance(c.getClassLoader() == null ? Inputs.class.getClassLoader() : c.getClassLoader(),
                new Class<?>[] {c}, (self, method, arguments) -> {
                    if (method.getDeclaringClass() == Object.class) {
                        return switch (method.getName()) {
                            case "hashCode" -> number;
                            case "equals" -> self == arguments[0];
                            default -> "stand-in " + number;
                        };
                    }
                    trace.add(number + "." + method.getName() + new Heap().show(arguments));
                    if (answers.nextInt(10) == 0) {
                        throw new IllegalStateException("stand-in");
                    }
                    Class<?> result = method.getReturnType();
                    if (result == void.class) {
                        return null;
                    }
                    if (result.isPrimitive()) {
                        return new Inputs(answers.nextLong(), List.of(), trace).primitive(result);
                    }
                    return result.isAssignableFrom(String.class) ? WORDS[answers.nextInt(WORDS.length)] : null;
                }));
    }

    private Object primitive(Class<?> c) {
        if (c == boolean.class) {
            return random.nextBoolean();
        }
        if (c == int.class) {
            return (int) integer(32);
        }
        if (c == long.class) {
            return integer(64);
        }
        if (c == short.class) {
            return (short) integer(16);
        }
        if (c == byte.class) {
            return (byte) integer(8);
        }
        if (c == char.class) {
            return random.nextBoolean() ? (char) (' ' + random.nextInt(95)) : (char) integer(16);
        }
        return c == float.class ? (Object) (float) real(true) : (Object) real(false);
    }

    private long integer(int bits) {
        switch (random.nextInt(8)) {
            case 0:
                return random.nextLong() >> 64 - bits;
            case 1:
                return (1L << bits - 1) - 1 - random.nextInt(2);
            case 2:
                return -(1L << bits - 1) + random.nextInt(2);
            case 3:
                return (random.nextBoolean() ? 1L : -1L) * (1L << random.nextInt(bits)) + random.nextInt(3) - 1;
            case 4:
                return random.nextInt(200) - 60;
            default:
                return random.nextInt(16) - 4;
        }
    }

    private double real(boolean narrow) {
        double[] special = {
            0.0, -0.0, 1, -1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0.5, 1e300, -1e300, 1e-300,
            Float.MAX_VALUE, Float.MIN_VALUE, Double.MIN_VALUE, Double.MAX_VALUE, 2147483648.0, 9.3e18, 0.1
        };
        switch (random.nextInt(6)) {
            case 0:
                return special[random.nextInt(special.length)];
            case 1:
                return narrow ? Float.intBitsToFloat(random.nextInt()) : Double.longBitsToDouble(random.nextLong());
            case 2:
                return random.nextInt(20) - 8;
            case 3:
                return (random.nextInt(4000) - 2000) / 8.0;
            default:
                return (random.nextDouble() - 0.4) * Math.pow(10, random.nextInt(6) - 1);
        }
    }

    private static Class<?> raw(Type type, Map<TypeVariable<?>, Type> bound) {
        if (type instanceof Class<?> c) {
            return c;
        }
        if (type instanceof ParameterizedType p) {
            return (Class<?>) p.getRawType();
        }
        if (type instanceof TypeVariable<?> v) {
            return raw(v.getBounds()[0], bound);
        }
        return Object.class;
    }

    private static final Map<Class<?>, Class<?>> PRIMITIVES = Map.of(Integer.class, int.class, Long.class, long.class,
            Short.class, short.class, Byte.class, byte.class, Character.class, char.class, Boolean.class, boolean.class,
            Float.class, float.class, Double.class, double.class);

    private static Unsafe unsafe() {
        try {
            Field field = Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return (Unsafe) field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
