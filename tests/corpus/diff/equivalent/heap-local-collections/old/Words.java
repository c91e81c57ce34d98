import java.util.HashSet;
import java.util.Set;

public class Words {
    public static int distinct(String[] words) {
        Set<String> seen = new HashSet<>();
        for (String word : words) {
            seen.add(word);
        }
        return seen.size();
    }
}
