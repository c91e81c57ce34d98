package conf;

/** The setter forgets to forget the hash. */
public class Settings {
    private String theme = "light";
    private int zoom = 100;
    private int hash;

    public void setTheme(String theme) {
        this.theme = theme == null ? "light" : theme;
        hash = 0;
    }

    public void setZoom(int zoom) {
        this.zoom = zoom;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Settings && theme.equals(((Settings) o).theme) && zoom == ((Settings) o).zoom;
    }

    @Override
    public int hashCode() {
        if (hash == 0) {
            hash = theme.hashCode() * 31 + zoom;
        }
        return hash;
    }
}
