import support.Race;

public class Proof {
    public static void main(String[] args) throws Exception {
        Race.attempts(() -> {
            ClassLoader loader = Race.loader();
            Class<?> store = Class.forName("conf.ConfigStore", true, loader);
            Class.forName("conf.Config", false, loader);
            return new Race.Role[] {
                () -> store.getMethod("describe").invoke(null),
                () -> Class.forName("conf.Config", true, loader)
            };
        });
    }
}
