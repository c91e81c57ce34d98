package shop;

public final class GiftBasket extends Basket {
    private String card = "";

    @Override
    public synchronized boolean add(String item) {
        if (item.isEmpty()) {
            return false;
        }
        boolean first = size() == 0;
        if (first) {
            card = item;
        }
        return super.add(item);
    }

    public synchronized String card() {
        return contains(card) ? card : "";
    }
}
