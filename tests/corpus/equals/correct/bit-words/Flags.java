package bits;

import java.util.Arrays;

/** Words of bits, of which the array may hold more than needed; missing words count as zero. */
public final class Flags {
    private long[] words = new long[0];

    public void set(int bit) {
        int w = (bit & 1023) >>> 6;
        if (w >= words.length) {
            words = Arrays.copyOf(words, w + 1);
        }
        words[w] |= 1L << bit;
    }

    public void clear(int bit) {
        int w = (bit & 1023) >>> 6;
        if (w < words.length) {
            words[w] &= ~(1L << bit);
        }
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Flags)) {
            return false;
        }
        long[] a = words;
        long[] b = ((Flags) o).words;
        int common = Math.min(a.length, b.length);
        for (int i = 0; i < common; i++) {
            if (a[i] != b[i]) {
                return false;
            }
        }
        for (int i = common; i < a.length; i++) {
            if (a[i] != 0) {
                return false;
            }
        }
        for (int i = common; i < b.length; i++) {
            if (b[i] != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        long h = 0;
        for (int i = words.length - 1; i >= 0; i--) {
            h = h * 31 + words[i];
        }
        return (int) (h ^ h >> 32);
    }
}
