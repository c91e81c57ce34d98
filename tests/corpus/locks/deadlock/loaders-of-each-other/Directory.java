package cache;

/** Names by number and numbers by name; each cache looks into the other before it gives up. */
public final class Directory {
    private final LoadingCache<Integer, String> names = new LoadingCache<>(this::findName);
    private final LoadingCache<String, Integer> numbers = new LoadingCache<>(this::findNumber);

    private String findName(int number) {
        return numbers.peek("n" + number) != null ? "n" + number : null;
    }

    private Integer findNumber(String name) {
        Integer number = name.length();
        return names.peek(number) != null ? number : null;
    }

    public String name(int number) {
        return names.get(number);
    }

    public Integer number(String name) {
        return numbers.get(name);
    }
}
