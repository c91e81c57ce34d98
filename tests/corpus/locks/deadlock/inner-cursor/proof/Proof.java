import db.Table;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Table table = new Table();
        Table.Cursor cursor = table.open();
        Race.loop(() -> table.insert("r"), cursor::next);
    }
}
