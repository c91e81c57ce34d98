public class Ray {
    public static double hit(double ox, double oy, double oz, double dx, double dy, double dz, double r) {
        double a = dx * dx + dy * dy + dz * dz;
        double b = 2 * (ox * dx + oy * dy + oz * dz);
        double c = ox * ox + oy * oy + oz * oz - r * r;
        double disc = b * b - 4 * a * c;
        if (disc < 0) {
            return -1;
        }
        double near = (-b - Math.sqrt(disc)) / (2 * a);
        double far = (-b + Math.sqrt(disc)) / (2 * a);
        if (near >= 0) {
            return near;
        }
        return far >= 0 ? far : -1;
    }
}
