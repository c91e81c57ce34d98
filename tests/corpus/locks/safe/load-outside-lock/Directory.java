package cache;

public final class Directory {
    private final LoadingCache<String> phones = new LoadingCache<>(this::phoneOf);
    private final LoadingCache<String> names = new LoadingCache<>(this::nameOf);

    private String phoneOf(String name) {
        String known = names.peek(name);
        return known == null ? "0" : known;
    }

    private String nameOf(String phone) {
        String known = phones.peek(phone);
        return known == null ? "?" : known;
    }

    public String phone(String name) {
        return phones.get(name);
    }

    public String name(String phone) {
        return names.get(phone);
    }
}
