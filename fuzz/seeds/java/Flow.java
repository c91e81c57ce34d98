import java.util.*;
/** Loops, switches, exceptions and locks. */
class Flow {
    private final Object lock = new Object();
    private int count;

    int loops(int n) {
        int sum = 0;
        outer:
        for (int i = 0; i < n; i++) {
            int j = i;
            while (true) {
                if (j-- < 0) continue outer;
                if (j == 7) break outer;
                do sum += j; while (sum < 3);
            }
        }
        return sum;
    }

    int tries(int[] a, String s) throws Exception {
        int r = 0;
        try {
            r = a[0] / a[1];
            try { r += Integer.parseInt(s); } finally { count++; if (r > 5) return r; }
        } catch (ArithmeticException | ArrayIndexOutOfBoundsException e) {
            r = e.hashCode();
        } catch (RuntimeException e) {
            throw new Exception("wrapped", e);
        } finally {
            r ^= count;
        }
        return r;
    }

    int locked(Object other) {
        synchronized (lock) {
            synchronized (other) { if (count > 3) return count; count++; }
        }
        return -1;
    }

    static int dense(int x) {
        switch (x) { case 1: return 5; case 2: x++; case 3: case 4: return x; case 7: break; default: x = 0; }
        return x;
    }

    static String sparse(String s) {
        switch (s) { case "Aa": case "BB": return "same hash"; case "x": return s; default: return null; }
    }

    static int wide(int k) { switch (k) { case -1_000_000: return 1; case 0: return 2; case Integer.MAX_VALUE: return 3; } return 4; }

    static List<String> resources(Iterable<String> in) throws java.io.IOException {
        List<String> out = new ArrayList<>();
        try (var r = new java.io.StringReader("x"); var w = new java.io.StringWriter()) {
            for (String s : in) { if (s == null) continue; out.add(s + r.read() + w); }
        }
        assert !out.isEmpty() : "nothing";
        return out;
    }
}
