package jury.replay;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Values as one line of text in which equal things look equal: an object that came up before is
 * called by where that was, so that sharing shows; fields that only their own class can see are left
 * out unless asked for.
 */
final class Snapshot {
    private static final int MOST_OBJECTS = 2000;

    private final StringBuilder text = new StringBuilder();
    /** Where each object came up first. */
    private final Map<Object, String> places = new IdentityHashMap<>();
    private final boolean withPrivate;
    /** Where the value that is being written is. */
    private String place = "";

    Snapshot(boolean withPrivate) {
        this.withPrivate = withPrivate;
    }

    /** A value that is found at this place, after a label. */
    void add(String label, String place, Object value) throws IllegalAccessException {
        say(label);
        this.place = place;
        write(value);
    }

    /** A part of its own. */
    void say(String part) {
        if (text.length() > 0) {
            text.append('\t');
        }
        text.append(part);
    }

    /** One value after the other, with tabs between. */
    @Override
    public String toString() {
        return text.toString();
    }

    private void write(Object value) throws IllegalAccessException {
        if (value == null) {
            text.append("null");
        } else if (value instanceof String) {
            quote((String) value);
        } else if (value instanceof Float) {
            text.append(value).append('f');
        } else if (value instanceof Long) {
            text.append(value).append('L');
        } else if (value instanceof Character) {
            text.append("(char) ");
            quote(value.toString());
        } else if (value instanceof Byte || value instanceof Short) {
            text.append('(').append(value.getClass().getSimpleName()).append(") ").append(value);
        } else if (value instanceof Number && isOfThePlatform(value.getClass())
                || value instanceof Boolean) {
            text.append(value);
        } else if (value instanceof Class) {
            text.append(nameOf((Class<?>) value));
        } else if (value instanceof Enum) {
            text.append(((Enum<?>) value).name());
        } else {
            writeObject(value);
        }
    }

    private void writeObject(Object value) throws IllegalAccessException {
        String known = places.get(value);
        if (known != null) {
            text.append("the same object as ").append(known);
            return;
        }
        if (places.size() >= MOST_OBJECTS) {
            throw new IllegalStateException("too many objects to compare");
        }
        Class<?> type = value.getClass();
        // An empty array has no state: which one it is should matter to nobody.
        if (!type.isArray() || Array.getLength(value) > 0) {
            places.put(value, place);
        }
        if (java.lang.reflect.Proxy.isProxyClass(type)) {
            text.append("stub");
        } else if (type.isArray()) {
            text.append(type.getComponentType().getName()).append("[] {");
            for (int i = 0; i < Array.getLength(value); i++) {
                writeElement(i, Array.get(value, i));
            }
            text.append('}');
        } else if (isOfThePlatform(type)) {
            writePlatformObject(value);
        } else {
            writeFields(value, type);
        }
    }

    private void writeElement(int i, Object element) throws IllegalAccessException {
        comma(i);
        writePart("[" + i + "]", element);
    }

    private void writePart(String step, Object part) throws IllegalAccessException {
        String whole = place;
        place = whole + step;
        write(part);
        place = whole;
    }

    private void writePlatformObject(Object value) throws IllegalAccessException {
        text.append(withPrivate ? value.getClass().getName() : kindOf(value)).append('{');
        if (value instanceof CharSequence) {
            quote(value.toString());
        } else if (value instanceof List || value instanceof java.util.Queue) {
            try {
                int i = 0;
                for (Object element : (Collection<?>) value) {
                    writeElement(i++, element);
                }
            } catch (java.util.ConcurrentModificationException e) {
                text.append("changed underneath");
            }
        } else if (value instanceof Collection) {
            unordered(((Collection<?>) value).toArray());
        } else if (value instanceof Map) {
            unordered(((Map<?, ?>) value).entrySet().toArray());
        } else if (value instanceof Map.Entry) {
            writePart(".getKey()", ((Map.Entry<?, ?>) value).getKey());
            text.append('=');
            writePart(".getValue()", ((Map.Entry<?, ?>) value).getValue());
        } else if (value instanceof Optional) {
            writePart(".get()", ((Optional<?>) value).orElse(null));
        } else if (value instanceof Comparable) {
            quote(value.toString());
        }
        text.append('}');
    }

    /**
     * What callers that keep to the declared types see of a class: of collections, what kind they are and
     * what they refuse; of classes that nobody can name, the first type that everyone can.
     */
    private static String kindOf(Object value) {
        Class<?> type = value.getClass();
        for (Class<?> kind : new Class<?>[] {List.class, java.util.Set.class, Map.class}) {
            if (kind.isInstance(value)) {
                return refused(type.getName()) + kind.getName();
            }
        }
        if (value instanceof java.util.Iterator) {
            return "java.util.Iterator";
        }
        while (!Modifier.isPublic(type.getModifiers())) {
            if (type.getInterfaces().length > 0) {
                return type.getInterfaces()[0].getName();
            }
            type = type.getSuperclass();
        }
        return type.getName();
    }

    private static String refused(String type) {
        if (type.equals("java.util.Arrays$ArrayList")) {
            return "fixed-size ";
        }
        for (String word : new String[] {"Unmodifiable", "Immutable", "Empty", "Singleton", "CopiesList"}) {
            if (type.contains(word)) {
                return "unmodifiable ";
            }
        }
        return "";
    }

    /** Elements in the order of their texts; one that was seen before has no text of its own. */
    private void unordered(Object[] elements) throws IllegalAccessException {
        List<String> texts = new ArrayList<>();
        for (Object element : elements) {
            Snapshot inner = new Snapshot(withPrivate);
            if (element instanceof Map.Entry) {
                inner.write(((Map.Entry<?, ?>) element).getKey());
                inner.text.append('=');
                inner.write(((Map.Entry<?, ?>) element).getValue());
            } else {
                inner.write(element);
            }
            texts.add(inner.toString());
        }
        Collections.sort(texts);
        text.append(String.join(", ", texts));
    }

    private void writeFields(Object value, Class<?> type) throws IllegalAccessException {
        if (isPrivate(type.getName())) {
            text.append("an object of a private class");
            return;
        }
        text.append(nameOf(type)).append('{');
        int n = 0;
        for (Class<?> owner = type; owner != null && !isOfThePlatform(owner);
                owner = owner.getSuperclass()) {
            Field[] fields = owner.getDeclaredFields();
            java.util.Arrays.sort(fields, (a, b) -> nameOf(a).compareTo(nameOf(b)));
            for (Field field : fields) {
                int modifiers = field.getModifiers();
                boolean hidden = (Modifier.isPrivate(modifiers) || isPrivate(key(field))) && !withPrivate;
                if (Modifier.isStatic(modifiers) || hidden || field.isSynthetic() || isSkipped(field)) {
                    continue;
                }
                field.setAccessible(true);
                comma(n++);
                text.append(nameOf(field)).append('=');
                writePart("." + nameOf(field), field.get(value));
            }
        }
        text.append('}');
    }

    /**
     * Compilers number anonymous and local classes, and JVMs those of lambdas: nobody can name them, and the
     * numbers mean nothing.
     */
    static String nameOf(Class<?> type) {
        if (type.isLocalClass()) {
            return "local " + type.getSimpleName();
        }
        if (!type.isAnonymousClass() && !type.isSynthetic()) {
            return type.getName();
        }
        Class<?>[] interfaces = type.getInterfaces();
        return "new " + (interfaces.length > 0 ? interfaces[0] : type.getSuperclass()).getName();
    }

    /** Fields that the other version does not have: nobody who knows both can see them. */
    private static boolean isSkipped(Field field) {
        return Known.FIELDS.getOrDefault(key(field), "").equals("skipped");
    }

    /** What the other version calls it. */
    private static String nameOf(Field field) {
        String known = Known.FIELDS.getOrDefault(key(field), "");
        return known.startsWith("=") && !known.equals("=-") ? known.substring(1) : field.getName();
    }

    /** Fields that are private in the other version, and classes that nobody can name. */
    private static boolean isPrivate(String key) {
        return Known.FIELDS.getOrDefault(key, "").equals("=-");
    }

    private static String key(Field field) {
        return field.getDeclaringClass().getName() + "." + field.getName();
    }

    /** Fields that are skipped, or go by another name; read when first needed. */
    private static final class Known {
        static final java.util.Map<String, String> FIELDS = read();

        private static java.util.Map<String, String> read() {
            try (java.io.InputStream in = Snapshot.class.getResourceAsStream("/known-fields")) {
                String text = in == null ? "" : new String(in.readAllBytes(), "UTF-8");
                java.util.Map<String, String> found = new java.util.HashMap<>();
                for (String line : text.split("\n")) {
                    int at = line.indexOf('=');
                    found.put(at < 0 ? line : line.substring(0, at), at < 0 ? "skipped" : line.substring(at));
                }
                return found;
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
    }

    private void comma(int i) {
        if (i > 0) {
            text.append(", ");
        }
    }

    private void quote(String value) {
        text.append(quoted(value));
    }

    static String quoted(String value) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : value.toCharArray()) {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c >= ' ' && c <= '~') {
                quoted.append(c);
            } else {
                quoted.append(String.format("\\u%04x", (int) c));
            }
        }
        return quoted.append('"').toString();
    }

    static boolean isOfThePlatform(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader == ClassLoader.getSystemClassLoader().getParent();
    }
}
