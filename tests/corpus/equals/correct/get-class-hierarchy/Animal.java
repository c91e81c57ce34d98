package zoo;

public class Animal {
    private final String name;

    public Animal(String name) {
        this.name = name;
    }

    @Override
    public boolean equals(Object obj) {
        if (obj == null || getClass() != obj.getClass()) {
            return false;
        }
        Animal other = (Animal) obj;
        return name == null ? other.name == null : name.equals(other.name);
    }

    @Override
    public int hashCode() {
        return (name == null ? 0 : name.hashCode()) ^ getClass().getName().hashCode();
    }
}
