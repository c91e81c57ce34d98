public class Ray {
    private static double dot(double x, double y, double z, double u, double v, double w) {
        return x * u + y * v + z * w;
    }

    public static double hit(double ox, double oy, double oz, double dx, double dy, double dz, double r) {
        double a = dot(dx, dy, dz, dx, dy, dz);
        double half = dot(ox, oy, oz, dx, dy, dz);
        double b = half + half;
        double disc = b * b - a * 4 * (dot(ox, oy, oz, ox, oy, oz) - r * r);
        if (disc < 0) {
            return -1;
        }
        double root = Math.sqrt(disc);
        double twice = a + a;
        double near = (-b - root) / twice;
        if (!(near >= 0)) {
            double far = (root - b) / twice;
            return far >= 0 ? far : -1;
        }
        return near;
    }
}
