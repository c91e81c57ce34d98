package jury.hang;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import jury.hang.Values.Made;
import jury.hang.Values.NotMade;

/**
 * One program for a plan: the actors, what ties them together, and the call of each role. Uses what a
 * caller may use: public members, or those open to one package.
 */
final class Builder {
    /**
     * What is run: one call for each role, and what happens before the last of them starts.
     *
     * @param arguments what each role is called with, the receiver first if it has one
     */
    record Program(List<Values.Call> calls, List<Values.Call> between, List<Object[]> arguments, String source,
            boolean isPublic) {}

    private final List<Object[]> given = new ArrayList<>();

    final Plan plan;
    final Choices choices;
    final Source source = new Source();
    private final Values values = new Values(this);
    private final Rows rows = new Rows(this);
    private int calling;
    private final Class<?>[] types;
    private final Made[] made;
    private final List<Made> offered = new ArrayList<>();
    private final List<Class<?>> building = new ArrayList<>();
    private boolean isPublic = true;

    Builder(Plan plan, Choices choices) throws NotMade {
        this.plan = plan;
        this.choices = choices;
        types = new Class<?>[plan.actors.size()];
        made = new Made[types.length];
        for (int n = 0; n < types.length; n++) {
            types[n] = load(plan.actors.get(n));
        }
    }

    static Class<?> load(String name) throws NotMade {
        return (Class<?>) Values.attempt(() -> Class.forName(name, false, Builder.class.getClassLoader()));
    }

    Program build(Wiring wiring) throws NotMade {
        for (int n = 0; n < types.length; n++) {
            actor(n);
        }
        List<Values.Call> between = wiring.apply(this);
        List<Values.Call> calls = new ArrayList<>();
        List<String> codes = new ArrayList<>();
        if (plan.isProgram) {
            return program(plan.roles.get(0));
        }
        for (int n = 0; n < plan.roles.size(); n++) {
            calling = n;
            call(plan.roles.get(n), calls, codes);
        }
        codes.addAll(wiring.repeated());
        boolean isRepeated = plan.kind == Plan.Kind.LOCKS;
        return new Program(calls, between, this.given, source.file(codes, isRepeated), isPublic);
    }

    /** The program as its users start it, whatever its class is called and who may name that. */
    private Program program(Plan.Role role) throws NotMade {
        Class<?> type = load(role.type());
        Method main = (Method) find(type, role);
        Object self = null;
        try {
            if (!Modifier.isStatic(main.getModifiers())) {
                Constructor<?> constructor = type.getDeclaredConstructor();
                constructor.setAccessible(true);
                self = constructor.newInstance();
            }
            main.setAccessible(true);
        } catch (ReflectiveOperationException | RuntimeException problem) {
            throw new NotMade(problem.toString());
        }
        Object object = self;
        Object[] given = main.getParameterCount() == 0 ? new Object[0] : new Object[] {new String[0]};
        Values.Call call = () -> main.invoke(object, given);
        List<Values.Call> calls = new ArrayList<>(List.of(call));
        while (calls.size() < plan.roles.size()) {
            calls.add(() -> null);
        }
        String text = "// the program itself: java " + role.type() + "\n";
        return new Program(calls, List.of(), List.of(), text, true);
    }

    private void call(Plan.Role role, List<Values.Call> calls, List<String> codes) throws NotMade {
        Class<?> type = load(role.type());
        if (role.method().equals("<clinit>")) {
            calls.add(() -> Class.forName(role.type()));
            codes.add("Class.forName(\"" + role.type() + "\")");
            this.given.add(new Object[0]);
            return;
        }
        Executable entry = find(type, role);
        boolean isStatic = Modifier.isStatic(entry.getModifiers()) || entry instanceof Constructor;
        Made receiver = isStatic ? null : variable(bound(role, 0, type, type));
        List<Made> arguments = new ArrayList<>();
        Class<?>[] parameters = entry.getParameterTypes();
        for (int n = 0; n < parameters.length; n++) {
            java.lang.reflect.Type[] generic = entry.getGenericParameterTypes();
            java.lang.reflect.Type full = generic.length == parameters.length ? generic[n] : parameters[n];
            Made argument = bound(role, isStatic && entry instanceof Method ? n : n + 1, parameters[n], full);
            boolean isSimple = argument.value() == null || parameters[n].isPrimitive()
                    || argument.value() instanceof String || !argument.code().contains("(");
            arguments.add(isSimple ? argument : variable(argument));
        }
        Object[] given = values(arguments);
        List<Object> all = new ArrayList<>(Arrays.asList(given));
        if (!Modifier.isStatic(entry.getModifiers())) {
            all.add(0, receiver == null ? null : receiver.value());
        }
        this.given.add(all.toArray());
        if (entry instanceof Constructor<?> constructor) {
            usable(constructor);
            note(constructor);
            calls.add(() -> constructor.newInstance(given));
            codes.add("new " + source.type(type) + "(" + codes(constructor, arguments, 0) + ")");
            return;
        }
        Method method = reachable((Method) entry, receiver);
        note(method);
        Object self = receiver == null ? null : receiver.value();
        calls.add(() -> method.invoke(self, given));
        codes.add(callCode(receiver, method, arguments));
    }

    private Made bound(Plan.Role role, int parameter, Class<?> type, java.lang.reflect.Type full) throws NotMade {
        Integer actor = role.actors().get(parameter);
        if (actor == null) {
            Class<?> element = Rows.element(type, full);
            boolean isRow = element != null && choices.pick(2, 1) == (plan.isHunch ? 0 : 1);
            Made row = isRow ? rows.of(type, element, calling, values) : null;
            return row != null ? row : values.argument(type, 0);
        }
        Made found = actor(actor);
        if (!type.isInstance(found.value())) {
            throw new NotMade(found.code() + " is no " + type.getName());
        }
        return found;
    }

    private Made variable(Made value) throws NotMade {
        if (value.value() == null) {
            throw new NotMade("no object to call");
        }
        if (!value.code().contains("(") && !value.code().contains("\"")) {
            return value;
        }
        return declare(value);
    }

    Made declare(Made value) {
        Class<?> type = Source.nameable(value.type());
        String name = source.variable(type);
        source.lines.add(source.type(type) + " " + name + " = " + value.code() + ";");
        return new Made(value.value(), type, name);
    }

    private static Executable find(Class<?> type, Plan.Role role) throws NotMade {
        Executable[] declared = (Executable[]) Values.attempt(() -> role.method().equals("<init>")
                ? type.getDeclaredConstructors() : type.getDeclaredMethods());
        for (Executable one : declared) {
            boolean isNamed = one instanceof Constructor || one.getName().equals(role.method());
            if (isNamed && descriptor(one).equals(role.descriptor())) {
                return one;
            }
        }
        throw new NotMade("no method " + role.method());
    }

    private static String descriptor(Executable method) {
        Class<?> result = method instanceof Method it ? it.getReturnType() : void.class;
        return java.lang.invoke.MethodType.methodType(result, method.getParameterTypes()).toMethodDescriptorString();
    }

    /** The method itself, or the one above it that callers can name. */
    private Method reachable(Method method, Made receiver) throws NotMade {
        if (usable(method)) {
            return method;
        }
        Class<?> from = receiver == null ? method.getDeclaringClass() : receiver.value().getClass();
        for (Method other : from.getMethods()) {
            if (Ways.key(other).equals(Ways.key(method)) && Source.isOpen(other.getDeclaringClass())) {
                return other;
            }
        }
        for (Class<?> above : interfaces(from)) {
            for (Method other : above.getMethods()) {
                if (Ways.key(other).equals(Ways.key(method)) && Source.isOpen(above)) {
                    return other;
                }
            }
        }
        throw new NotMade("nobody may call " + method);
    }

    private static Set<Class<?>> interfaces(Class<?> type) {
        Set<Class<?>> found = new LinkedHashSet<>();
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Class<?> above : at.getInterfaces()) {
                found.add(above);
                found.addAll(interfaces(above));
            }
        }
        return found;
    }

    // Actors.

    Made actor(int number) throws NotMade {
        if (made[number] != null) {
            return made[number];
        }
        Class<?> type = types[number];
        building.add(type);
        Made value = null;
        for (Made element : offered) {
            if (value == null && type.isInstance(element.value()) && !isActor(element.value())) {
                value = element;
            }
        }
        if (value == null) {
            value = new Ways(this).make(type, 0, true);
        }
        building.remove(building.size() - 1);
        if (isActor(value.value())) {
            throw new NotMade("two actors are one object");
        }
        made[number] = declare(value);
        return made[number];
    }

    /** The class of an actor that is made or can be made now, else null. */
    Class<?> actorClass(int number) {
        if (made[number] != null) {
            return made[number].value().getClass();
        }
        return isBuilding(types[number]) ? null : types[number];
    }

    private boolean isActor(Object value) {
        return actors().stream().anyMatch(actor -> actor.value() == value);
    }

    List<Made> actors() {
        return Arrays.stream(made).filter(actor -> actor != null).toList();
    }

    List<Made> fitting(Class<?> type) {
        return actors().stream().filter(actor -> type.isInstance(actor.value())).toList();
    }

    /** An actor of the type that is still to be made, or -1. */
    int pending(Class<?> type) {
        for (int n = 0; n < types.length; n++) {
            if (made[n] == null && type != Object.class && type.isAssignableFrom(types[n])
                    && !(building.size() > 1 && isBuilding(types[n])) && n != current()) {
                return n;
            }
        }
        return -1;
    }

    private int current() {
        for (int n = 0; n < types.length; n++) {
            if (made[n] == null && !building.isEmpty() && building.get(building.size() - 1) == types[n]) {
                return n;
            }
        }
        return -1;
    }

    boolean isBuilding(Class<?> type) {
        return building.stream().anyMatch(type::isAssignableFrom);
    }

    /** Whether the arguments of a role are made, and not an object that roles share. */
    boolean isCalling() {
        return building.isEmpty();
    }

    void offer(Made element) {
        offered.add(element);
    }

    /** A name for the actor that is being made, so that two of them have different ones. */
    String letter() {
        return building.isEmpty() ? "a" : Character.toString((char) ('a' + Math.max(0, current())));
    }

    Set<Class<?>> roleClasses() {
        Set<Class<?>> found = new LinkedHashSet<>();
        for (Plan.Role role : plan.roles) {
            try {
                found.add(load(role.type()));
            } catch (NotMade missing) {
                // Then it makes nothing.
            }
        }
        return found;
    }

    int nActorParameters(Executable method) {
        int count = 0;
        for (Class<?> parameter : method.getParameterTypes()) {
            boolean isOne = Arrays.stream(types).anyMatch(parameter::isAssignableFrom);
            count += isOne && parameter != Object.class ? 1 : 0;
        }
        return count;
    }

    // Calls.

    List<Made> arguments(Executable method, int depth) throws NotMade {
        List<Made> arguments = new ArrayList<>();
        for (Class<?> parameter : method.getParameterTypes()) {
            arguments.add(values.argument(parameter, depth));
        }
        return arguments;
    }

    Object[] values(List<Made> arguments) {
        return arguments.stream().map(Made::value).toArray();
    }

    String callCode(Made receiver, Method method, List<Made> arguments) {
        String given = "(" + codes(method, arguments, 0) + ")";
        Class<?> owner = Source.nameable(method.getDeclaringClass());
        if (receiver == null) {
            return source.type(owner) + "." + method.getName() + given;
        }
        boolean isKnown = method.getDeclaringClass().isAssignableFrom(receiver.type())
                || Arrays.stream(receiver.type().getMethods()).anyMatch(it -> Ways.key(it).equals(Ways.key(method)));
        String self = isKnown ? receiver.code() : "((" + source.type(owner) + ") " + receiver.code() + ")";
        return self + "." + method.getName() + given;
    }

    /** Arguments as source, with casts where another overload could be meant. */
    String codes(Executable method, List<Made> arguments, int hidden) {
        Class<?>[] parameters = method.getParameterTypes();
        Executable[] others = method instanceof Constructor
                ? method.getDeclaringClass().getDeclaredConstructors()
                : Ways.sortedMethods(method.getDeclaringClass()).toArray(new Executable[0]);
        boolean isOverloaded = Arrays.stream(others).filter(it -> it.getName().equals(method.getName())
                && it.getParameterCount() == method.getParameterCount()).count() > 1;
        List<String> codes = new ArrayList<>();
        for (int n = 0; n < arguments.size(); n++) {
            Class<?> parameter = parameters[n + hidden];
            Made argument = arguments.get(n);
            boolean isExact = argument.value() == null || argument.type() == parameter || parameter.isPrimitive();
            String cast = isOverloaded && !isExact ? "(" + source.type(Source.nameable(parameter)) + ") " : "";
            codes.add(argument.value() == null && !isOverloaded ? "null" : cast + argument.code());
        }
        return String.join(", ", codes);
    }

    // Who may use what.

    private static boolean isPlatform(Class<?> type) {
        return type.getModule().isNamed();
    }

    /** Whether source can name the class: everybody's, or code's in the same package. */
    boolean isOpen(Class<?> type) {
        if (Source.isOpen(type)) {
            return true;
        }
        for (Class<?> at = type; at != null; at = at.getEnclosingClass()) {
            if (Modifier.isPrivate(at.getModifiers()) || at.isAnonymousClass() || at.isLocalClass()) {
                return false;
            }
        }
        return !isPlatform(type);
    }

    boolean mayUse(Executable member) {
        return !member.isSynthetic() && usable(member);
    }

    private boolean usable(Executable member) {
        Class<?> owner = member.getDeclaringClass();
        if (Modifier.isPublic(member.getModifiers()) && Source.isOpen(owner)) {
            return true;
        }
        if (Modifier.isPrivate(member.getModifiers()) || isPlatform(owner) || !isOpen(owner)) {
            return false;
        }
        return member.trySetAccessible();
    }

    /** The program uses the member. */
    void note(Executable member) throws NotMade {
        Class<?> owner = member.getDeclaringClass();
        if (!Modifier.isPublic(member.getModifiers()) || !Source.isOpen(owner)) {
            isPublic = false;
            if (!source.moveTo(owner.getPackageName())) {
                throw new NotMade("it would have to be in two packages");
            }
        }
    }
}
