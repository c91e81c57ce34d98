package sport;

/** Not the order by gold, then silver: either being greater is enough. */
public final class Medal implements Comparable<Medal> {
    private final int gold;
    private final int silver;

    public Medal(int gold, int silver) {
        this.gold = gold;
        this.silver = silver;
    }

    @Override
    public int compareTo(Medal m) {
        if (gold > m.gold || silver > m.silver) {
            return 1;
        }
        return gold == m.gold && silver == m.silver ? 0 : -1;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Medal && gold == ((Medal) o).gold && silver == ((Medal) o).silver;
    }

    @Override
    public int hashCode() {
        return gold * 1009 + silver;
    }
}
