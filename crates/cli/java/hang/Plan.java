package jury.hang;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What should hang, as the analysis wrote it: one line per fact, parts separated by tabs. */
final class Plan {
    enum Kind {
        /** Each role holds a lock and wants that of the next. */
        LOCKS,
        /** The same with the initialisation of classes. */
        INIT,
        /**
         * The first role waits for a signal and holds what the others need; alone, it waits for a task that
         * it keeps from going on.
         */
        WAIT,
        /** One thread waits for itself. */
        ALONE
    }

    /**
     * What one thread does.
     *
     * @param method {@code <clinit>}: initialise the class
     * @param isSpawned whether it may be a thread that the called method starts
     * @param wants the method that waits in the end: {@code p.C.m}
     * @param actors which actor each parameter is, the receiver being 0 of an instance method
     */
    record Role(String type, String method, String descriptor, boolean isSpawned, String wants,
            Map<Integer, Integer> actors) {}

    /**
     * Where a thread holds its first lock and is about to want the next.
     *
     * @param isAfter behind the instruction at this pc, which takes the first lock, or before it
     */
    record Stop(int role, String type, String method, String descriptor, int pc, boolean isAfter) {
        /** The place in the code of the method. */
        long index(byte[] code) {
            int opcode = isAfter && pc < code.length ? code[pc] & 0xff : 0;
            int length = switch (opcode) {
                case 0xc2 -> 1;
                case 0xb6, 0xb7, 0xb8 -> 3;
                case 0xb9 -> 5;
                default -> 0;
            };
            return pc + length;
        }
    }

    /**
     * An object by a parameter of a role and the fields that lead from there.
     *
     * @param fields class and name, with a dot between them
     */
    record Spot(int role, int parameter, List<String> fields) {
        static Spot of(String text) {
            List<String> parts = List.of(text.split(" "));
            return new Spot(Integer.parseInt(parts.get(0)), Integer.parseInt(parts.get(1)),
                    parts.subList(2, parts.size()));
        }

        /** The object, or null if it cannot be told. */
        Object find(List<Object[]> arguments) {
            try {
                Object at = arguments.get(role)[parameter];
                for (String field : fields) {
                    int dot = field.lastIndexOf('.');
                    Class<?> owner = Class.forName(field.substring(0, dot), false, Plan.class.getClassLoader());
                    java.lang.reflect.Field found = owner.getDeclaredField(field.substring(dot + 1));
                    at = found.trySetAccessible() ? found.get(at) : null;
                }
                return at;
            } catch (ReflectiveOperationException | RuntimeException | LinkageError unknown) {
                return null;
            }
        }
    }

    /** Whether two objects that have to be one are seen to be two. */
    boolean isApart(List<Object[]> arguments) {
        return same.stream().anyMatch(spots -> {
            Object first = spots.get(0).find(arguments);
            Object second = spots.get(1).find(arguments);
            return first != null && second != null && first != second;
        });
    }

    Kind kind = Kind.LOCKS;
    /** The classes of objects that several roles share. */
    final List<String> actors = new ArrayList<>();
    /** Concrete classes below one that cannot be made itself. */
    final Map<String, List<String>> subtypes = new TreeMap<>();
    /** What the called methods name, and may compare their arguments with. */
    final List<Long> numbers = new ArrayList<>();
    final List<String> texts = new ArrayList<>();
    final List<Role> roles = new ArrayList<>();
    final List<Stop> stops = new ArrayList<>();
    /** Whether nothing speaks for it. */
    boolean isHunch;
    /** Whether all roles are threads of one run of what the first calls, itself included. */
    boolean isProgram;
    /** The role whose stop the first thread passes, or -1. */
    int passed = -1;
    /** Two objects each that have to be one before any thread starts. */
    final List<List<Spot>> same = new ArrayList<>();

    static Plan read(Path file) throws IOException {
        Plan plan = new Plan();
        for (String line : Files.readAllLines(file)) {
            plan.add(line.split("\t", -1));
        }
        return plan;
    }

    private void add(String[] part) {
        switch (part[0]) {
            case "kind" -> kind = Kind.valueOf(part[1]);
            case "actor" -> actors.add(part[1]);
            case "subtypes" -> subtypes.put(part[1], List.of(part).subList(2, part.length));
            case "numbers" -> List.of(part).subList(1, part.length).forEach(it -> numbers.add(Long.valueOf(it)));
            case "texts" -> texts.addAll(List.of(part).subList(1, part.length));
            case "role" -> {
                Map<Integer, Integer> bound = new TreeMap<>();
                for (int i = 6; i < part.length; i++) {
                    String[] pair = part[i].split("=");
                    bound.put(Integer.valueOf(pair[0]), Integer.valueOf(pair[1]));
                }
                roles.add(new Role(part[1], part[2], part[3], part[4].equals("spawned"), part[5], bound));
            }
            case "stop" -> stops.add(new Stop(
                    Integer.parseInt(part[1]), part[2], part[3], part[4], Integer.parseInt(part[5]),
                    part[6].equals("after")));
            case "hunch" -> isHunch = true;
            case "program" -> isProgram = true;
            case "passed" -> passed = Integer.parseInt(part[1]);
            case "same" -> same.add(List.of(Spot.of(part[1]), Spot.of(part[2])));
            default -> throw new IllegalArgumentException(part[0]);
        }
    }

    /** Whether some thread stops as soon as it has its first lock. */
    boolean isEarly() {
        return stops.stream().anyMatch(Stop::isAfter);
    }

    /** Whether the called methods themselves take both locks. */
    boolean isPlain() {
        return !stops.isEmpty() && stops.stream().allMatch(stop -> {
            Role role = roles.get(stop.role());
            return role.type().equals(stop.type()) && role.method().equals(stop.method());
        });
    }

    boolean hasStop(int role) {
        return stops.stream().anyMatch(stop -> stop.role() == role);
    }
}
