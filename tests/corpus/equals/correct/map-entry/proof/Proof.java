import java.util.AbstractMap;
import java.util.Map;
import maps.Binding;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Binding<String, Integer> changed = new Binding<>("a", 1);
        changed.setValue(2);
        Contract.judge(changed, new Binding<>("a", 2), Map.entry("a", 2), new AbstractMap.SimpleEntry<>("a", 2), new Binding<>(null, null),
                new AbstractMap.SimpleEntry<>(null, null), new Binding<>(2, "a"));
    }
}
