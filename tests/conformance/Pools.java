/** Values at which code goes wrong. */
final class Pools {
    private Pools() {}

    static final int[] LENGTHS = {0, 0, 1, 2, 3, 4, 7, 8, 9, 16, 17, 33, 70};

    static final int[] INTS = {
        0, 1, -1, 2, -2, 3, 7, 8, 9, 10, 15, 16, 31, 32, 33, 36, 37, 63, 64, 65, 100, 126, 127, 128,
        129, -127, -128, -129, 255, 256, 1000, 32767, 32768, -32768, -32769, 46340, 46341, 65535,
        65536, 0x10ffff, 0x110000, 0xd800, 0xdc00, 1 << 30, Integer.MAX_VALUE - 1,
        Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MIN_VALUE + 1, 0x55555555, 0xdeadbeef,
    };

    static final long[] LONGS = {
        0, 1, -1, 2, -2, 3, 10, 63, 64, 127, 128, -128, -129, 255, 1000, 32767, 32768, 65535, 65536,
        Integer.MAX_VALUE, Integer.MAX_VALUE + 1L, Integer.MIN_VALUE, Integer.MIN_VALUE - 1L,
        0xffffffffL, 0x100000000L, 3037000499L, 3037000500L, 1L << 52, 1L << 53, (1L << 53) + 1,
        1L << 62, Long.MAX_VALUE - 1, Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1,
        0x5555555555555555L, 0xdeadbeefcafebabeL, 1000000000000000003L,
    };

    static final float[] FLOATS = {
        0f, -0f, 1f, -1f, 0.5f, -0.5f, 1.5f, -1.5f, 2.5f, 0.1f, 1e-10f, 1e10f, 3.4e38f, 16777216f,
        16777217f, 8388607.5f, 2147483648f, -2147483648f, 9.223372e18f, Float.MIN_VALUE,
        -Float.MIN_VALUE, Float.MIN_NORMAL, Float.MAX_VALUE, -Float.MAX_VALUE, Float.NaN,
        Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 1.17549421e-38f, 65504f,
    };

    static final double[] DOUBLES = {
        0, -0.0, 1, -1, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.1, 1.0 / 3, 1e-10, 1e10, 1e23, 2e-3, 1e300,
        1e-300, 4503599627370495.5, 4503599627370496.0, 9007199254740991.0, 9007199254740992.0,
        2147483647.0, 2147483648.0, -2147483648.0, -2147483649.0, 9.223372036854775807e18,
        -9.223372036854775808e18, Double.MIN_VALUE, -Double.MIN_VALUE, Double.MIN_NORMAL,
        2.225073858507201e-308, Double.MAX_VALUE, -Double.MAX_VALUE, Double.NaN,
        Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Math.PI, Math.E, Math.PI / 2, 0.49999999999999994,
        709.78, 710, -745.2, 1024, 1.0000000000000002, 0.9999999999999999, 37, 100, 1e15 + 0.3,
    };

    static final char[] CHARS = {
        'a', 'z', 'A', 'Z', '0', '9', ' ', '\0', '\t', '\n', '\r', '\u000b', '\u001f', '"', '\'', '\\',
        '-', '+', '.', '/', '_', '$', '%', '&', '<', '\u007f', '\u0080', '\u0085', '\u00a0', '\u00ad',
        '\u00b5', '\u00df', '\u00e9', '\u00ff', '\u0100', '\u0130', '\u0131', '\u017f', '\u01c5',
        '\u0301', '\u03a3', '\u03c2', '\u0660', '\u05d0', '\u0e01', '\u1e9e', '\u2000', '\u200b',
        '\u2028', '\u2160', '\u3000', '\u4e2d', '\uac00', '\ud7ff', '\ud800', '\udbff', '\udc00',
        '\udfff', '\ue000', '\ufb01', '\ufeff', '\uff11', '\uffff',
    };

    static final String[] MILD_STRINGS = {
        "a", "b", "ab", "abc", "Hello", "hello world", "foo bar baz", "12", "-7", "3.25", "1e3", "true",
        "FALSE", "yes", "x=1", "a,b,c", "a.b.C", "java.lang.String", "key", "AbC dEf", "  padded  ",
        "0x1F", "Zebra", "ff00", "aGVsbG8=", "one two", "kitten", "sitting", "Robert", "no",
    };

    static final String[] STRINGS = {
        "", " ", "\t\n\r", "\0", "null", "NaN", "Infinity", "-0", "+1", "-", ".", "0x", "0", "00", "010", "08",
        "2147483647", "2147483648", "-2147483648", "9223372036854775807", "9223372036854775808",
        "1e400", "4.9e-324", "1.7976931348623159e308", "0x1p-1074", "1f", "1L", "1_000", "\u0661\u0662",
        "\u00e9t\u00e9", "e\u0301", "\u00df", "\u0130stanbul", "\u0131", "\u017f", "\u03a3\u03b1\u03c2",
        "\u01c5", "\u4e2d\u6587", "\u05d0\u05d1", "\ufb01", "\ud83d\ude00", "a\ud83d\ude00b", "\ud800",
        "\udc00", "x\ud800", "\udc00x", "\udc00\ud800", "\ud800\ud800", "\uffff", "\ufeff", "\u00a0",
        "\u2028", "\u200b", "a\0b", "\\", "\"", "'", "%", "%s", "$1", "${x}", "[a-z]+", "(", "&amp;", "&#65;",
        "<b>&\"'</b>", "\\u0041", "\\n", "a/b/c", "../x", "C:\\x", "http://x.y/?a=b&c=d", "a b\tc\nd",
        "the quick brown fox jumps over the lazy dog", "A".repeat(70), "ab".repeat(300),
        "\u00e9".repeat(40), "\ud83d\ude00".repeat(20), "x".repeat(2000), " ".repeat(33), "1".repeat(25),
        "camelCaseString", "snake_case", "UPPER", "\u00dcn\u00efc\u00f6d\u00e9", "1-2-3", "2020-02-30", "12:34:56", "P1DT2H",
        "aaaaaaaa", "SGVsbG8gd29ybGQ=", "c3\u00e4", "Tymczak", "M\u00fcller", "yyyy-MM-dd", "#,##0.00",
    };
}
