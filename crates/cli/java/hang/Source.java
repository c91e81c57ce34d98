package jury.hang;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The program as Java that people read: statements, names, imports. */
final class Source {
    final List<String> lines = new ArrayList<>();
    boolean hasStubs;
    private final Map<String, String> imports = new TreeMap<>();
    private final Set<String> names = new HashSet<>(
            Set.of("args", "Deadlock", "repeat", "stub", "Call"));
    private String ownPackage = "";

    /** Puts the program into a package, unless it has to be in another. */
    boolean moveTo(String name) {
        boolean fits = ownPackage.isEmpty() || ownPackage.equals(name);
        ownPackage = name;
        return fits;
    }

    /** A new name for a variable of the type: {@code orderBook}, {@code orderBook2}. */
    String variable(Class<?> type) {
        String simple = type.isArray() ? type.getComponentType().getSimpleName() + "s" : type.getSimpleName();
        if (simple.isEmpty()) {
            simple = "object";
        }
        int upper = 0;
        while (upper < simple.length() && Character.isUpperCase(simple.charAt(upper))) {
            upper++;
        }
        int lower = Math.max(1, upper == simple.length() ? upper : upper - 1);
        String base = simple.substring(0, lower).toLowerCase() + simple.substring(lower);
        if (!javax.lang.model.SourceVersion.isName(base)) {
            base = "the" + simple;
        }
        String name = base;
        for (int n = 2; !names.add(name); n++) {
            name = base + n;
        }
        return name;
    }

    /** The type as this file writes it. */
    String type(Class<?> type) {
        if (type.isArray()) {
            return type(type.getComponentType()) + "[]";
        }
        if (type.isPrimitive()) {
            return type.getName();
        }
        String canonical = type.getCanonicalName();
        Class<?> outermost = type;
        while (outermost.getEnclosingClass() != null) {
            outermost = outermost.getEnclosingClass();
        }
        String simple = outermost.getSimpleName();
        String known = imports.putIfAbsent(simple, outermost.getName());
        boolean isImported = known == null || known.equals(outermost.getName());
        String prefix = outermost.getPackageName().isEmpty() ? "" : outermost.getPackageName() + ".";
        return isImported ? canonical.substring(prefix.length()) : canonical;
    }

    /** The nearest class that source can name: the type itself, or what is above it. */
    static Class<?> nameable(Class<?> type) {
        if (type.isArray() || type.isPrimitive() || isOpen(type)) {
            return type;
        }
        for (Class<?> up = type; up != null && up != Object.class; up = up.getSuperclass()) {
            if (isOpen(up)) {
                return up;
            }
            for (Class<?> above : up.getInterfaces()) {
                if (isOpen(above)) {
                    return above;
                }
            }
        }
        return Object.class;
    }

    /** Whether everybody may name the class. */
    static boolean isOpen(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getEnclosingClass()) {
            if (!Modifier.isPublic(at.getModifiers()) || at.isAnonymousClass() || at.isLocalClass()) {
                return false;
            }
        }
        return !type.isHidden() && type.getModule().isExported(type.getPackageName());
    }

    String file(List<String> calls, boolean isRepeated) {
        StringBuilder text = new StringBuilder();
        if (!ownPackage.isEmpty()) {
            text.append("package ").append(ownPackage).append(";\n\n");
        }
        int length = text.length();
        for (String name : imports.values()) {
            String in = name.contains(".") ? name.substring(0, name.lastIndexOf('.')) : "";
            if (!in.isEmpty() && !in.equals("java.lang") && !in.equals(ownPackage)) {
                text.append("import ").append(name).append(";\n");
            }
        }
        if (text.length() > length) {
            text.append('\n');
        }
        text.append("public class Deadlock {\n    public static void main(String[] args) throws Exception {\n");
        for (String line : lines) {
            text.append("        ").append(line).append('\n');
        }
        for (String call : calls) {
            text.append("        ").append(isRepeated ? "repeat" : "start").append("(() -> ").append(call)
                    .append(");\n");
        }
        text.append("    }\n").append(isRepeated ? REPEAT : START);
        if (hasStubs) {
            text.append(STUB);
        }
        return text.append("}\n").toString();
    }

    private static final String REPEAT = """

                interface Call { void run() throws Throwable; }

                /** Makes the call in a thread of its own, again and again, until it never returns. */
                static void repeat(Call call) {
                    new Thread(() -> {
                        while (true) try { call.run(); } catch (Throwable thrown) { Thread.yield(); }
                    }).start();
                }
            """;
    private static final String START = """

                interface Call { void run() throws Throwable; }

                /** Makes the call in a thread of its own. */
                static void start(Call call) {
                    new Thread(() -> {
                        try { call.run(); } catch (Throwable thrown) { thrown.printStackTrace(); }
                    }).start();
                }
            """;
    private static final String STUB = """

                /** An implementation whose methods do nothing. */
                static <T> T stub(Class<T> type) {
                    return type.cast(java.lang.reflect.Proxy.newProxyInstance(
                            type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                                Class<?> result = method.getReturnType();
                                return switch (method.getName()) {
                                    case "equals" -> proxy == arguments[0];
                                    case "hashCode" -> System.identityHashCode(proxy);
                                    case "toString" -> "stub";
                                    default -> result.isInterface() ? stub(result)
                                            : result == String.class ? "a"
                                            : java.lang.reflect.Array.get(java.lang.reflect.Array.newInstance(
                                                    result == void.class ? Object.class : result, 1), 0);
                                };
                            }));
                }
            """;

    /** The same as the text above does. */
    static Object stub(Class<?> type) {
        return java.lang.reflect.Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Class<?> result = method.getReturnType();
                    return switch (method.getName()) {
                        case "equals" -> proxy == arguments[0];
                        case "hashCode" -> System.identityHashCode(proxy);
                        case "toString" -> "stub";
                        default -> result.isInterface() ? stub(result)
                                : result == String.class ? "a"
                                : java.lang.reflect.Array.get(java.lang.reflect.Array.newInstance(
                                        result == void.class ? Object.class : result, 1), 0);
                    };
                });
    }
}
