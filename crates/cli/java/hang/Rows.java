package jury.hang;

import java.lang.reflect.Array;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;

import jury.hang.Values.Made;
import jury.hang.Values.NotMade;

/**
 * Arrays and collections of objects that all roles know: each role has them in another order, as callers
 * may who do not know of each other.
 */
final class Rows {
    private static final List<Class<?>> COLLECTIONS = List.of(ArrayList.class, LinkedHashSet.class, ArrayDeque.class);

    private final Builder builder;
    private final Map<Class<?>, List<Made>> objects = new HashMap<>();

    Rows(Builder builder) {
        this.builder = builder;
    }

    /** What the array or collection holds, if objects of it can be made; else null. */
    static Class<?> element(Class<?> type, Type full) {
        if (type.isArray()) {
            return isFit(type.getComponentType()) ? type.getComponentType() : null;
        }
        boolean isCollection = type == Iterable.class || Collection.class.isAssignableFrom(type);
        if (isCollection && full instanceof ParameterizedType it && it.getActualTypeArguments().length == 1) {
            Type given = it.getActualTypeArguments()[0];
            Type bound = given instanceof java.lang.reflect.WildcardType wild ? wild.getUpperBounds()[0] : given;
            return bound instanceof Class<?> element && isFit(element) ? element : null;
        }
        return null;
    }

    private static boolean isFit(Class<?> element) {
        boolean isPlatform = element.getModule().isNamed();
        return !element.isPrimitive() && !element.isArray() && !element.isEnum()
                && (!isPlatform || element == Object.class || Lock.class.isAssignableFrom(element));
    }

    /** The row of a role; null if there is none of the type. */
    Made of(Class<?> type, Class<?> element, int role, Values values) {
        List<Made> row = new ArrayList<>();
        try {
            List<Made> all = all(element, values);
            for (int n = 0; n < all.size(); n++) {
                row.add(all.get((role + n) % all.size()));
            }
        } catch (NotMade missing) {
            return null;
        }
        String codes = String.join(", ", row.stream().map(Made::code).toList());
        if (type.isArray()) {
            Object array = Array.newInstance(element, row.size());
            for (int n = 0; n < row.size(); n++) {
                Array.set(array, n, row.get(n).value());
            }
            return new Made(array, type, "new " + builder.source.type(element) + "[] {" + codes + "}");
        }
        for (Class<?> collection : COLLECTIONS) {
            if (type.isAssignableFrom(collection)) {
                String code = "new " + builder.source.type(collection) + "<>(java.util.List.of(" + codes + "))";
                return new Made(collection(collection, row), collection, code);
            }
        }
        return null;
    }

    private static Object collection(Class<?> type, List<Made> row) {
        List<Object> items = row.stream().map(Made::value).toList();
        if (type == ArrayList.class) {
            return new ArrayList<>(items);
        }
        return type == LinkedHashSet.class ? new LinkedHashSet<>(items) : new ArrayDeque<>(items);
    }

    /** As many objects as roles. */
    private List<Made> all(Class<?> element, Values values) throws NotMade {
        List<Made> found = objects.get(element);
        if (found == null) {
            found = new ArrayList<>();
            for (int n = 0; n < Math.max(2, builder.plan.roles.size()); n++) {
                Made made = values.another(element);
                if (made.value() == null) {
                    throw new NotMade("an object in a row");
                }
                found.add(builder.declare(made));
            }
            objects.put(element, found);
        }
        return found;
    }
}
