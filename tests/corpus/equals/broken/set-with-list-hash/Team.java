package org;

import java.util.ArrayList;
import java.util.List;

/** Order does not matter to equals, but it does to the hash. */
public final class Team {
    private final List<String> members = new ArrayList<>();

    public Team join(String name) {
        if (name != null && !members.contains(name)) {
            members.add(name);
        }
        return this;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Team)) {
            return false;
        }
        Team t = (Team) o;
        return members.size() == t.members.size() && members.containsAll(t.members);
    }

    @Override
    public int hashCode() {
        return members.hashCode();
    }
}
