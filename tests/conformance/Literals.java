import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.util.StringJoiner;

/** Values in the syntax of {@code jury eval}. */
final class Literals {
    private Literals() {}

    static String joined(Object[] values, String separator) {
        StringJoiner texts = new StringJoiner(separator);
        for (Object value : values) {
            texts.add(text(value));
        }
        return texts.toString();
    }

    static String text(Object value) {
        if (value == null) {
            return "null";
        }
        if (value.getClass().isArray()) {
            StringJoiner items = new StringJoiner(",", "[", "]");
            for (int i = 0; i < Array.getLength(value); i++) {
                items.add(text(Array.get(value, i)));
            }
            return items.toString();
        }
        if (value instanceof String string) {
            return '"' + escaped(string, '"') + '"';
        }
        if (value instanceof Character c) {
            return "'" + escaped(c.toString(), '\'') + "'";
        }
        if (value instanceof Long) {
            return value + "L";
        }
        if (value instanceof Double d) {
            return decimal(d);
        }
        if (value instanceof Float f) {
            String text = f.toString();
            boolean isNumber = Character.isDigit(text.charAt(text.length() - 1));
            return isNumber ? text + "f" : text;
        }
        if (value instanceof Boolean || value instanceof Number && isBox(value)) {
            return value.toString();
        }
        return "<" + value.getClass().getName() + ">";
    }

    private static boolean isBox(Object value) {
        return value instanceof Integer || value instanceof Short || value instanceof Byte;
    }

    /** A text that is read back as exactly this value. */
    private static String decimal(double value) {
        String text = Double.toString(value);
        return Double.compare(Double.parseDouble(text), value) == 0
                ? text : new BigDecimal(value).toString();
    }

    private static String escaped(String string, char quote) {
        StringBuilder text = new StringBuilder(string.length() + 2);
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            if (c == '\\' || c == quote) {
                text.append('\\').append(c);
            } else if (c >= 0x20 && c <= 0x7e) {
                text.append(c);
            } else {
                text.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    text.append("0123456789abcdef".charAt(c >> shift & 15));
                }
            }
        }
        return text.toString();
    }

    /** The texts here are printable ASCII, so that only two characters need an escape. */
    static String json(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
