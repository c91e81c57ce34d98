package lang;

import java.util.ArrayList;
import java.util.List;

public final class Lexicon {
    private static final List<String> WORDS = new ArrayList<>();
    private static final int RESERVED = countReserved();

    private Lexicon() {}

    static synchronized int enter(String word) {
        WORDS.add(word);
        return WORDS.size();
    }

    private static int countReserved() {
        int n = 0;
        for (Keyword keyword : Keyword.values()) {
            if (keyword.code() > 0) {
                n++;
            }
        }
        return n;
    }

    public static boolean isReserved(int code) {
        return code <= RESERVED;
    }
}
