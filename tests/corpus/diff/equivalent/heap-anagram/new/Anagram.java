public class Anagram {
    public static boolean is(String a, String b) {
        if (a.length() != b.length()) {
            return false;
        }
        int[] counts = new int[1 << 16];
        for (int i = 0; i < a.length(); i++) {
            counts[a.charAt(i)]++;
            counts[b.charAt(i)]--;
        }
        for (int count : counts) {
            if (count != 0) {
                return false;
            }
        }
        return true;
    }
}
