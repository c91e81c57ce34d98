package model;

public class Person extends Bean {
    private String name = "";

    public String name() {
        touch("name");
        return name;
    }

    public void rename(String name) {
        this.name = name;
    }
}
