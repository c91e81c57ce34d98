import java.lang.reflect.Array;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Draws arguments for one method. A third of the calls is mild (small numbers, short strings, no
 * nulls), so that code behind the checks of arguments runs too; the rest is as nasty as it gets.
 */
final class Inputs {
    private final SplittableRandom random;
    private final Class<?>[] types;
    private final Constants constants;
    private boolean isMild;
    /** Strings and array lengths of one call are often related. */
    private String lastString;
    private int lastLength;

    Inputs(long seed, Subject subject) {
        // By method, so that the choice of methods does not change anyone's inputs.
        this.random = new SplittableRandom(seed * 31 + subject.text().hashCode());
        this.types = subject.method().getParameterTypes();
        this.constants = subject.constants();
    }

    Object[] next() {
        isMild = random.nextInt(3) == 0;
        lastString = null;
        lastLength = -1;
        Object[] values = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            values[i] = draw(types[i]);
        }
        return values;
    }

    private Object draw(Class<?> type) {
        if (!type.isPrimitive() && !isMild && random.nextInt(10) == 0) {
            return null;
        }
        if (type.isArray()) {
            return drawArray(type.getComponentType());
        }
        if (type == boolean.class || type == Boolean.class) {
            return random.nextBoolean();
        }
        if (type == byte.class || type == Byte.class) {
            return (byte) drawInt();
        }
        if (type == short.class || type == Short.class) {
            return (short) drawInt();
        }
        if (type == char.class || type == Character.class) {
            return drawChar();
        }
        if (type == int.class || type == Integer.class) {
            return drawInt();
        }
        if (type == long.class || type == Long.class) {
            return drawLong();
        }
        if (type == float.class || type == Float.class) {
            return drawFloat();
        }
        if (type == double.class || type == Double.class) {
            return drawDouble();
        }
        // A fresh object each time: no argument is the same as another, or as a literal.
        return new String(drawString());
    }

    private Object drawArray(Class<?> component) {
        int length = lastLength >= 0 && random.nextInt(3) > 0 ? lastLength : drawLength();
        lastLength = length;
        if (component.isArray() && length > 6) {
            length = 3;
        }
        Object array = Array.newInstance(component, length);
        for (int i = 0; i < length; i++) {
            Array.set(array, i, draw(component));
        }
        return array;
    }

    private int drawLength() {
        if (isMild) {
            return 1 + random.nextInt(6);
        }
        return Pools.LENGTHS[random.nextInt(Pools.LENGTHS.length)];
    }

    private int drawInt() {
        if (isMild) {
            return random.nextInt(-2, 12);
        }
        return switch (random.nextInt(8)) {
            case 0 -> random.nextInt();
            case 1 -> random.nextInt(-20, 130);
            case 2 -> constant(constants.ints(), 7);
            default -> Pools.INTS[random.nextInt(Pools.INTS.length)];
        };
    }

    private long drawLong() {
        if (isMild) {
            return random.nextInt(-2, 12);
        }
        return switch (random.nextInt(8)) {
            case 0 -> random.nextLong();
            case 1 -> drawInt();
            case 2 -> constant(constants.longs(), 10_000_000_000L);
            default -> Pools.LONGS[random.nextInt(Pools.LONGS.length)];
        };
    }

    private float drawFloat() {
        if (isMild) {
            return random.nextInt(-8, 40) / 4f;
        }
        return switch (random.nextInt(8)) {
            case 0 -> number(Float.intBitsToFloat(random.nextInt()));
            case 1 -> drawInt();
            case 2 -> constant(constants.floats(), 0.1f);
            default -> Pools.FLOATS[random.nextInt(Pools.FLOATS.length)];
        };
    }

    private double drawDouble() {
        if (isMild) {
            return random.nextInt(3) == 0 ? random.nextDouble() : random.nextInt(-8, 40) / 4.0;
        }
        return switch (random.nextInt(8)) {
            case 0 -> number(Double.longBitsToDouble(random.nextLong()));
            case 1 -> drawInt();
            case 2 -> constant(constants.doubles(), 0.1);
            default -> Pools.DOUBLES[random.nextInt(Pools.DOUBLES.length)];
        };
    }

    /** Other NaNs than the one have no literal. */
    private static float number(float value) {
        return Float.isNaN(value) ? Float.NaN : value;
    }

    private static double number(double value) {
        return Double.isNaN(value) ? Double.NaN : value;
    }

    private char drawChar() {
        if (isMild) {
            return "abcXYZ019 -_.,".charAt(random.nextInt(14));
        }
        if (random.nextInt(6) == 0) {
            return (char) random.nextInt(0x10000);
        }
        return Pools.CHARS[random.nextInt(Pools.CHARS.length)];
    }

    private String drawString() {
        if (lastString != null && !lastString.isEmpty() && random.nextInt(4) == 0) {
            int from = random.nextInt(lastString.length());
            int to = from + random.nextInt(lastString.length() - from + 1);
            return lastString.substring(from, to);
        }
        lastString = freshString();
        return lastString;
    }

    private String freshString() {
        if (isMild) {
            return Pools.MILD_STRINGS[random.nextInt(Pools.MILD_STRINGS.length)];
        }
        switch (random.nextInt(8)) {
            case 0:
                StringBuilder text = new StringBuilder();
                for (int i = random.nextInt(12); i > 0; i--) {
                    text.append(drawChar());
                }
                return text.toString();
            case 1:
                return constant(constants.strings(), "literal");
            case 2:
                return Pools.MILD_STRINGS[random.nextInt(Pools.MILD_STRINGS.length)];
            case 3:
                return Literals.text(random.nextBoolean() ? drawLong() : drawDouble());
            default:
                return Pools.STRINGS[random.nextInt(Pools.STRINGS.length)];
        }
    }

    private <T> T constant(List<T> values, T otherwise) {
        return values.isEmpty() ? otherwise : values.get(random.nextInt(values.size()));
    }
}
