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
        Keyword last = Keyword.WHILE;
        return last == null ? 3 : last.code();
    }

    public static boolean isReserved(int code) {
        return code <= RESERVED;
    }
}
