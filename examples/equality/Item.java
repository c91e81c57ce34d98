package shop;

/** A line of an order. */
public class Item {
    protected final int article;
    protected final int quantity;

    public Item(int article, int quantity) {
        this.article = article;
        this.quantity = quantity;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Item)) {
            return false;
        }
        Item other = (Item) o;
        return article == other.article && quantity == other.quantity;
    }

    @Override
    public int hashCode() {
        return 31 * article + quantity;
    }
}
