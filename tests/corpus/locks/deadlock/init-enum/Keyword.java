package lang;

public enum Keyword {
    IF("if"),
    ELSE("else"),
    WHILE("while");

    private final String text;
    private final int code;

    Keyword(String text) {
        this.text = text;
        this.code = Lexicon.enter(text);
    }

    public String text() {
        return text;
    }

    public int code() {
        return code;
    }
}
