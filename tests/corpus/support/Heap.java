package support;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.Map;

/** Writes down what is reachable, objects by number, so that equal texts mean isomorphic heaps. */
final class Heap {
    private final IdentityHashMap<Object, Integer> numbers = new IdentityHashMap<>();

    String show(Object value) {
        StringBuilder out = new StringBuilder();
        show(value, out);
        return out.toString();
    }

    /** The static fields that the program can change, of every class. */
    String showStatics(Iterable<Class<?>> classes) throws IllegalAccessException {
        StringBuilder out = new StringBuilder();
        for (Class<?> c : classes) {
            for (Field field : fields(c)) {
                if (Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    out.append(c.getName()).append('.').append(field.getName()).append('=');
                    show(field.get(null), out);
                    out.append(' ');
                }
            }
        }
        return out.toString();
    }

    static Field[] fields(Class<?> c) {
        Field[] fields = c.getDeclaredFields();
        Arrays.sort(fields, Comparator.comparing(Field::getName));
        return Arrays.stream(fields).filter(f -> !f.isSynthetic() || f.getName().startsWith("this$")).toArray(Field[]::new);
    }

    private void show(Object value, StringBuilder out) {
        if (value == null || value instanceof Boolean || value instanceof Number && value.getClass().getName().startsWith("java.lang")) {
            out.append(value == null ? "null" : value.getClass().getSimpleName() + bits(value));
            return;
        }
        if (value instanceof String || value instanceof Character) {
            out.append('"').append(value).append('"');
            return;
        }
        if (value instanceof Class<?> c) {
            out.append(c.getName());
            return;
        }
        Integer known = numbers.get(value);
        if (known != null) {
            out.append('#').append(known);
            return;
        }
        numbers.put(value, numbers.size());
        out.append(numbers.size() - 1).append(':');
        showContent(value, out);
    }

    private void showContent(Object value, StringBuilder out) {
        Class<?> c = value.getClass();
        if (Proxy.isProxyClass(c)) {
            out.append("stand-in");
        } else if (c.isArray()) {
            out.append(c.getComponentType().getSimpleName()).append('[');
            for (int i = 0; i < Array.getLength(value); i++) {
                show(Array.get(value, i), out);
                out.append(' ');
            }
            out.append(']');
        } else if (value instanceof Enum<?> e) {
            out.append(e.name());
        } else if (value instanceof Collection<?> items && fromJdk(c)) {
            out.append(c.getSimpleName()).append('(');
            items.forEach(item -> show(item, out.append(' ')));
            out.append(')');
        } else if (value instanceof Map<?, ?> map && fromJdk(c)) {
            out.append(c.getSimpleName()).append('(');
            map.forEach((k, v) -> {
                show(k, out.append(' '));
                show(v, out.append('='));
            });
            out.append(')');
        } else if (value instanceof CharSequence || value instanceof Number && fromJdk(c)) {
            out.append(c.getSimpleName()).append(' ').append(value);
        } else if (fromJdk(c)) {
            out.append(c.getName());
        } else {
            showFields(value, c, out);
        }
    }

    private void showFields(Object value, Class<?> c, StringBuilder out) {
        out.append(c.isHidden() ? "lambda" : c.getName()).append('{');
        for (Class<?> k = c; k != null && !fromJdk(k) && !c.isHidden(); k = k.getSuperclass()) {
            for (Field field : fields(k)) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    try {
                        show(field.get(value), out.append(field.getName()).append('='));
                    } catch (IllegalAccessException e) {
                        throw new IllegalStateException(e);
                    }
                    out.append(' ');
                }
            }
        }
        out.append('}');
    }

    private static boolean fromJdk(Class<?> c) {
        return c.getClassLoader() == null || c.getClassLoader() == ClassLoader.getPlatformClassLoader();
    }

    private static String bits(Object value) {
        if (value instanceof Double d) {
            return d + (d == 0 && 1 / d < 0 ? "-" : "");
        }
        return value.toString();
    }
}
