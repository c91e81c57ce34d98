import support.Race;

public class Proof {
    public static void main(String[] args) throws Exception {
        Race.attempts(() -> {
            ClassLoader loader = Race.loader();
            Class<?> skin = Class.forName("theme.Skin", true, loader);
            Class.forName("theme.Theme", false, loader);
            Object one = skin.getConstructor(String.class).newInstance("x");
            return new Race.Role[] {
                () -> skin.getMethod("isDefault").invoke(one),
                () -> Class.forName("theme.Theme", true, loader)
            };
        });
    }
}
