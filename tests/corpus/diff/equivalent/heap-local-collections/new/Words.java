public class Words {
    public static int distinct(String[] words) {
        int n = 0;
        for (int i = 0; i < words.length; i++) {
            boolean known = false;
            for (int j = 0; j < i && !known; j++) {
                known = words[i] == null ? words[j] == null : words[i].equals(words[j]);
            }
            if (!known) {
                n++;
            }
        }
        return n;
    }
}
