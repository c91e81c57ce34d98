package shop;

import java.util.Objects;

public class Item {
    private final int id;
    private String title;
    private int price;

    public Item(int id, String title) {
        this.id = id;
        this.title = title;
    }

    public void setPrice(int price) {
        this.price = price;
    }

    @Override
    public boolean equals(Object o) {
        if (this == o) {
            return true;
        }
        if (o == null || getClass() != o.getClass()) {
            return false;
        }
        return id == ((Item) o).id;
    }

    @Override
    public int hashCode() {
        return Objects.hash(id, price);
    }
}
