package support;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Judges equals, hashCode, compareTo and comparators on all pairs and triples of a pool of objects,
 * and prints {@code VIOLATED CLASS RULE} once for each rule that a class breaks there.
 *
 * <p>The class is the one that declares the method on the x side. What the JDK declares is not judged.
 */
public final class Contract {
    private static final Object[] FOREIGN = {
        "foreign", 42, 1.5, new Object(), new int[0], new String[] {"a"}, List.of(), Map.of()
    };
    private static final TreeSet<String> FOUND = new TreeSet<>();

    private Contract() {}

    /** Every rule on the objects of the pool. */
    public static void judge(Object... pool) {
        for (Object x : pool) {
            alone(x);
            for (Object y : FOREIGN) {
                pair(x, y);
            }
        }
        for (Object x : pool) {
            for (Object y : pool) {
                pair(x, y);
                comparePair(x, y);
            }
        }
        for (Object x : pool) {
            for (Object y : pool) {
                for (Object z : pool) {
                    equalsTriple(x, y, z);
                    compareTriple(x, y, z);
                }
            }
        }
        flush();
    }

    /** The rules of comparison for a comparator, which belongs to the class that declares compare. */
    @SafeVarargs
    public static <T> void comparator(Comparator<? super T> comparator, T... pool) {
        String owner = comparator.getClass().getName();
        for (T x : pool) {
            for (T y : pool) {
                Integer xy = compare(comparator, x, y);
                Integer yx = compare(comparator, y, x);
                if (xy == null) {
                    found(owner, "compare-total");
                    continue;
                }
                if (yx != null && xy != -yx) {
                    found(owner, "compare-antisymmetric");
                }
                if (x != null && (xy == 0) != x.equals(y)) {
                    found(owner, "compare-consistent");
                }
                for (T z : pool) {
                    if (intransitive(xy, compare(comparator, y, z), compare(comparator, x, z))) {
                        found(owner, "compare-transitive");
                    }
                }
            }
        }
        flush();
    }

    /** The hash of x before and after a change that equals does not see. */
    public static <T> void stable(T x, Consumer<? super T> change) {
        int before = x.hashCode();
        change.accept(x);
        if (x.hashCode() != before) {
            found(declarer(x, "hashCode"), "hash-stable");
        }
        flush();
    }

    private static void alone(Object x) {
        Class<?> owner = declarer(x, "equals", Object.class);
        Boolean self = equal(x, x);
        if (self == null) {
            found(owner, "equals-total");
        } else if (!self) {
            found(owner, "equals-reflexive");
        }
        Boolean none = equal(x, null);
        if (none == null) {
            found(owner, "equals-total");
        }
        if (none == null || none) {
            found(owner, "equals-null");
        }
        for (Class<?> c = x.getClass(); c != null && judged(c); c = c.getSuperclass()) {
            for (Method m : c.getDeclaredMethods()) {
                if (m.getName().equals("equals") && m.getParameterCount() == 1 && !m.isSynthetic()
                        && m.getReturnType() == boolean.class && m.getParameterTypes()[0] != Object.class) {
                    found(c, "equals-overloaded");
                }
            }
        }
    }

    private static void pair(Object x, Object y) {
        Class<?> owner = declarer(x, "equals", Object.class);
        Boolean xy = equal(x, y);
        Boolean yx = equal(y, x);
        if (xy == null) {
            found(owner, "equals-total");
        } else {
            if (yx != null && !xy.equals(yx)) {
                found(owner, "equals-symmetric");
            }
            if (xy && x.hashCode() != y.hashCode()) {
                Class<?> hashing = declarer(x, "hashCode");
                found(owner.isAssignableFrom(hashing) && judged(hashing) ? hashing : owner, "hash-consistent");
            }
        }
    }

    private static void equalsTriple(Object x, Object y, Object z) {
        if (Boolean.TRUE.equals(equal(x, y)) && Boolean.TRUE.equals(equal(y, z))
                && Boolean.FALSE.equals(equal(x, z))) {
            found(declarer(x, "equals", Object.class), "equals-transitive");
        }
    }

    private static void comparePair(Object x, Object y) {
        Method method = compareTo(x, y);
        if (method == null) {
            return;
        }
        Integer xy = compare(x, y);
        Integer yx = compare(y, x);
        if (xy == null) {
            found(method.getDeclaringClass(), "compare-total");
            return;
        }
        if (yx != null && xy != -yx) {
            found(method.getDeclaringClass(), "compare-antisymmetric");
        }
        Boolean equal = equal(x, y);
        if (equal != null && equal != (xy == 0)) {
            found(method.getDeclaringClass(), "compare-consistent");
        }
    }

    private static void compareTriple(Object x, Object y, Object z) {
        Method method = compareTo(x, y);
        if (method == null || compareTo(x, z) == null || compareTo(y, z) == null) {
            return;
        }
        if (intransitive(compare(x, y), compare(y, z), compare(x, z))) {
            found(method.getDeclaringClass(), "compare-transitive");
        }
    }

    private static boolean intransitive(Integer xy, Integer yz, Integer xz) {
        if (xy == null || yz == null || xz == null) {
            return false;
        }
        if (xy == 0) {
            return !xz.equals(yz);
        }
        return xy > 0 && yz > 0 && xz <= 0;
    }

    private static Boolean equal(Object x, Object y) {
        try {
            return x.equals(y);
        } catch (RuntimeException e) {
            return null;
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Integer compare(Object x, Object y) {
        try {
            return Integer.signum(((Comparable) x).compareTo(y));
        } catch (RuntimeException e) {
            return null;
        }
    }

    private static <T> Integer compare(Comparator<? super T> comparator, T x, T y) {
        try {
            return Integer.signum(comparator.compare(x, y));
        } catch (RuntimeException e) {
            return null;
        }
    }

    /** The compareTo of x if it takes objects like y. */
    private static Method compareTo(Object x, Object y) {
        if (!(x instanceof Comparable) || !(y instanceof Comparable)) {
            return null;
        }
        return Arrays.stream(x.getClass().getMethods())
                .filter(m -> m.getName().equals("compareTo") && m.getParameterCount() == 1 && !m.isBridge())
                .filter(m -> judged(m.getDeclaringClass()) && m.getParameterTypes()[0].isInstance(y))
                .findFirst().orElse(null);
    }

    private static Class<?> declarer(Object x, String name, Class<?>... parameters) {
        try {
            return x.getClass().getMethod(name, parameters).getDeclaringClass();
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean judged(Class<?> c) {
        return c.getClassLoader() == Contract.class.getClassLoader();
    }

    private static void found(Class<?> owner, String rule) {
        if (judged(owner)) {
            found(owner.getName(), rule);
        }
    }

    private static void found(String owner, String rule) {
        FOUND.add("VIOLATED " + owner + " " + rule);
    }

    private static void flush() {
        FOUND.forEach(System.out::println);
        FOUND.clear();
    }
}
