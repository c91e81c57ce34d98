public final class Item {
    public int key;
    public String name;
}
