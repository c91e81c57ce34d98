package plug;

public final class BasicPlugin implements Plugin {
    private static int created;

    private final String name;

    private BasicPlugin(String name) {
        this.name = name;
    }

    public static BasicPlugin create(String name) {
        created++;
        return new BasicPlugin(name + "#" + created);
    }

    @Override
    public String name() {
        return name;
    }
}
