package people;

import java.util.Objects;

/** The display name and its length are made when somebody asks; equality does not know them. */
public class Person {
    private final String first;
    private final String last;
    private String display;
    private int displayLength = -1;

    public Person(String first, String last) {
        this.first = first;
        this.last = last;
    }

    public String display() {
        if (display == null) {
            display = first + " " + last;
            displayLength = display.length();
        }
        return display;
    }

    public int displayLength() {
        display();
        return displayLength;
    }

    @Override
    public final boolean equals(Object o) {
        if (!(o instanceof Person)) {
            return false;
        }
        Person p = (Person) o;
        return Objects.equals(first, p.first) && Objects.equals(last, p.last);
    }

    @Override
    public final int hashCode() {
        return Objects.hash(first, last);
    }
}
