package shop;

/** A line of an order with a discount; lines without one count as their plain line. */
public class DiscountedItem extends Item {
    private final int percent;

    public DiscountedItem(int article, int quantity, int percent) {
        super(article, quantity);
        this.percent = percent;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof DiscountedItem)) {
            return super.equals(o);
        }
        return super.equals(o) && percent == ((DiscountedItem) o).percent;
    }
}
