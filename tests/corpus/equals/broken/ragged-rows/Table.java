package grid;

/** Takes the length of the first row for that of all. */
public final class Table {
    private final int[][] rows;

    public Table(int[]... rows) {
        this.rows = new int[rows.length][];
        for (int i = 0; i < rows.length; i++) {
            this.rows[i] = rows[i].clone();
        }
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Table)) {
            return false;
        }
        Table t = (Table) o;
        if (rows.length != t.rows.length) {
            return false;
        }
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < rows[0].length; j++) {
                if (rows[i][j] != t.rows[i][j]) {
                    return false;
                }
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return rows.length;
    }
}
