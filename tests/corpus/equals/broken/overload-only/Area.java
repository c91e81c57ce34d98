package geom;

public class Area {
    private final int width;
    private final int height;

    public Area(int width, int height) {
        this.width = width;
        this.height = height;
    }

    public boolean equals(Area other) {
        return other != null && width * height == other.width * other.height;
    }
}
