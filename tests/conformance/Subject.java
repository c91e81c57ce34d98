import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;

/** A method to compare, and the literals of the class that it is in. */
record Subject(Method method, Constants constants) {
    private static final Set<Class<?>> SIMPLE = Set.of(
            boolean.class, byte.class, char.class, short.class, int.class, long.class,
            float.class, double.class, Boolean.class, Byte.class, Character.class, Short.class,
            Integer.class, Long.class, Float.class, Double.class, String.class, CharSequence.class);

    /** As {@code jury eval} names it: {@code p.C.m(I)J}. */
    String text() {
        MethodType type = MethodType.methodType(method.getReturnType(), method.getParameterTypes());
        return method.getDeclaringClass().getName() + "." + method.getName()
                + type.toMethodDescriptorString();
    }

    static List<Subject> in(String place) throws Exception {
        List<Subject> subjects = new ArrayList<>();
        if (place.startsWith("class:")) {
            addAll(Class.forName(place.substring(6)), subjects);
            return subjects;
        }
        String[] parts = place.substring("jar:".length()).split("=");
        List<String> packages = parts.length > 1 ? Arrays.asList(parts[1].split(",")) : null;
        List<String> names = new ArrayList<>();
        try (JarFile jar = new JarFile(parts[0])) {
            jar.stream().map(entry -> entry.getName())
                    .filter(name -> name.endsWith(".class") && !name.startsWith("META-INF/"))
                    .map(name -> name.substring(0, name.length() - 6).replace('/', '.'))
                    .filter(name -> !name.endsWith("-info"))
                    .forEach(names::add);
        }
        names.sort(Comparator.naturalOrder());
        for (String name : names) {
            String packageName = name.substring(0, Math.max(name.lastIndexOf('.'), 0));
            if (packages == null || packages.contains(packageName)) {
                addAll(Class.forName(name, false, Subject.class.getClassLoader()), subjects);
            }
        }
        return subjects;
    }

    private static void addAll(Class<?> type, List<Subject> subjects) throws Exception {
        if (!isPublic(type)) {
            return;
        }
        List<Subject> found = new ArrayList<>();
        Constants constants = null;
        for (Method method : type.getDeclaredMethods()) {
            int modifiers = method.getModifiers();
            boolean isAsked = Modifier.isPublic(modifiers) && Modifier.isStatic(modifiers)
                    && method.getParameterCount() > 0
                    && Arrays.stream(method.getParameterTypes()).allMatch(Subject::isSimple)
                    && (method.getReturnType() == void.class || isSimple(method.getReturnType()));
            if (isAsked) {
                if (constants == null) {
                    constants = Constants.of(type);
                }
                found.add(new Subject(method, constants));
            }
        }
        found.sort(Comparator.comparing(Subject::text));
        subjects.addAll(found);
    }

    private static boolean isPublic(Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getDeclaringClass()) {
            if (!Modifier.isPublic(c.getModifiers())) {
                return false;
            }
        }
        return !type.isAnonymousClass() && !type.isLocalClass();
    }

    private static boolean isSimple(Class<?> type) {
        while (type.isArray()) {
            type = type.getComponentType();
        }
        return SIMPLE.contains(type);
    }
}
