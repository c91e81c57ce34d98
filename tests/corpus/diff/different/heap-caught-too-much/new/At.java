public class At {
    public static int first(Cell[] cells) {
        if (cells == null || cells.length == 0) {
            return 0;
        }
        return cells[0].value;
    }
}
