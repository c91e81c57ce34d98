package text;

import java.util.Arrays;

public class Buffer implements Comparable<Buffer> {
    private char[] chars = new char[16];
    private int length;

    public synchronized Buffer append(char c) {
        if (length == chars.length) {
            chars = Arrays.copyOf(chars, 2 * length);
        }
        chars[length++] = c;
        return this;
    }

    public synchronized int length() {
        return length;
    }

    public synchronized char charAt(int i) {
        if (i >= length) {
            throw new IndexOutOfBoundsException("index " + i);
        }
        return chars[i];
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Buffer && compareTo((Buffer) o) == 0;
    }

    @Override
    public synchronized int compareTo(Buffer other) {
        int n = Math.min(length, other.length());
        for (int i = 0; i < n; i++) {
            int d = Character.compare(chars[i], other.charAt(i));
            if (d != 0) {
                return d;
            }
        }
        return Integer.compare(length, other.length());
    }

    @Override
    public synchronized int hashCode() {
        int h = 0;
        for (int i = 0; i < length; i++) {
            h = 31 * h + chars[i];
        }
        return h;
    }
}
