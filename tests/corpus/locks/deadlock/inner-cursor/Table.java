package db;

import java.util.ArrayList;
import java.util.List;

public class Table {
    private final List<String> rows = new ArrayList<>();
    private final List<Cursor> cursors = new ArrayList<>();

    public Cursor open() {
        synchronized (this) {
            Cursor cursor = new Cursor();
            cursors.add(cursor);
            return cursor;
        }
    }

    public synchronized void insert(String row) {
        rows.add(row);
        if (rows.size() > 100) {
            rows.clear();
            for (Cursor cursor : cursors) {
                cursor.rewind();
            }
        }
    }

    public class Cursor {
        private int position;

        synchronized void rewind() {
            position = 0;
        }

        public synchronized String next() {
            String row;
            synchronized (Table.this) {
                row = position < rows.size() ? rows.get(position) : null;
            }
            if (row != null) {
                position++;
            }
            return row;
        }
    }
}
