package bank;

import java.util.ArrayList;
import java.util.List;

/** All entries, and the audit that watches them. */
public class Ledger {
    private final List<String> entries = new ArrayList<>();
    private final Audit audit;

    public Ledger(Audit audit) {
        this.audit = audit;
    }

    public synchronized void record(String entry) {
        entries.add(entry);
        audit.noticed(entry);
    }

    public synchronized int size() {
        return entries.size();
    }
}
