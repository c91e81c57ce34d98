public class Wide {
    public static float fma(float a, float b, float c) {
        return (float) ((double) a + b + c);
    }
}
