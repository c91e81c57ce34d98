import java.util.HashMap;
import java.util.Map;

public class Words {
    public static int count(String[] words) {
        Map<String, Integer> counts = new HashMap<>();
        for (String word : words) {
            counts.merge(word, 1, Integer::sum);
        }
        return counts.size();
    }
}
