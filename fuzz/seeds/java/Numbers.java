/** Arithmetic, conversions, comparisons and stack shuffles of every kind. */
class Numbers {
    static final long BIG = 1L << 40;
    static final double HALF = 0.5;
    int i; long j; float f; double d; short s; byte b; char c; boolean z;

    int ints(int a, int b) {
        int r = a + b - a * b / (b | 1) % 7;
        r = -r << a >> b >>> 3 & 0xff ^ a | ~b;
        r += 100_000; r -= 1000; r++; --r;
        return a < b ? r : a > b ? -r : a == 0 ? 1 : a >= 5 ? 2 : a <= -5 ? 3 : a != -1 ? 4 : 5;
    }

    long longs(long a, int shift) {
        long r = a + 1L - a * BIG / (a | 1) % 9;
        r = -r << shift >> 2 >>> shift & a ^ BIG | 7;
        return a < r ? r : (long) (float) r + (long) (double) a;
    }

    double floats(float a, double b) {
        float x = a * 2f - a / 3f + a % 5f;
        double y = -b * HALF - b / 3 + b % 5 + -x;
        return x < a ? y : b > y ? (int) x : (int) y + (float) (long) b;
    }

    int narrow(int a) { return (byte) a + (char) a + (short) a + (int) (long) a; }

    long fields(Numbers o) {
        o.i++; ++o.j; o.f += 1; o.d *= 2; o.s--; o.b ^= 3; o.c = 'x'; o.z = !o.z;
        return o.j++ + (o.i = 5) + (o.z ? 1 : 0);
    }

    static Object arrays(int n) {
        int[] i = {1, 2}; long[] j = new long[n]; float[] f = new float[n]; double[] d = {1.5};
        byte[] b = new byte[n]; char[] c = {'a'}; short[] s = new short[3]; boolean[] z = {true};
        String[][] t = new String[n][4]; Object[] o = {i, j, f, d, b, c, s, z, t};
        i[0]++; j[1] += 2; f[0] = i[1]; d[0] -= j[0]; b[0] = c.length > 0 ? b[1] : 3; c[0]++;
        s[1] = (short) b.length; z[0] ^= z.length == 1; t[0][1] = "x"; o[1] = t[1];
        return o instanceof Object[][] p ? p : (Object) o;
    }
}
