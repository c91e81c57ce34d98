public class Narrow {
    public static byte mix(int a, int b, short c) {
        byte x = (byte) a;
        byte y = (byte) b;
        return (byte) ((byte) (x * y) + (byte) c);
    }
}
