package bits;

import java.util.Arrays;

/** Equal up to trailing zero words, which the hash counts all the same. */
public final class BitString {
    private int[] words = new int[1];

    public BitString set(int i, boolean on) {
        int w = (i & 511) >>> 5;
        if (w >= words.length) {
            words = Arrays.copyOf(words, w + 1);
        }
        if (on) {
            words[w] |= 1 << i;
        } else {
            words[w] &= ~(1 << i);
        }
        return this;
    }

    private int word(int i) {
        return i < words.length ? words[i] : 0;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof BitString)) {
            return false;
        }
        BitString b = (BitString) o;
        for (int i = Math.max(words.length, b.words.length) - 1; i >= 0; i--) {
            if (word(i) != b.word(i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(words);
    }
}
