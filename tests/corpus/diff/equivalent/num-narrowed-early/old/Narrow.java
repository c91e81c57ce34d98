public class Narrow {
    public static byte mix(int a, int b, short c) {
        return (byte) (a * b + c);
    }
}
