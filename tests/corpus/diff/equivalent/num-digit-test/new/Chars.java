public class Chars {
    public static int digit(char c) {
        char d = (char) (c - '0');
        if (d < 10) {
            return d;
        }
        d = (char) (c - 'a');
        return d < 6 ? d + 10 : -1;
    }
}
