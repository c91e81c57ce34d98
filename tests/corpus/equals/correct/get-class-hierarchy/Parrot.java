package zoo;

public class Parrot extends Bird {
    public Parrot(String name) {
        super(name, 0.5);
    }
}
