public class Degrees {
    public static int celsius(int fahrenheit) {
        return (fahrenheit - 32) / 9 * 5;
    }
}
