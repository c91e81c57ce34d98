package bits;

import java.util.Arrays;

/** Looks at the words that both have and forgets the rest. */
public final class WordSet {
    private long[] words = new long[1];

    public WordSet add(int i) {
        int w = (i & 255) >>> 6;
        if (w >= words.length) {
            words = Arrays.copyOf(words, w + 1);
        }
        words[w] |= 1L << i;
        return this;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof WordSet)) {
            return false;
        }
        WordSet s = (WordSet) o;
        for (int i = Math.min(words.length, s.words.length); --i >= 0; ) {
            if (words[i] != s.words[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(words[0]);
    }
}
