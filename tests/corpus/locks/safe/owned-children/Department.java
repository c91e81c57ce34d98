package org;

import java.util.ArrayList;
import java.util.List;

/** Monitors are taken from the owner down; the owned are made inside and never handed out. */
public final class Department {
    private static final class Team {
        private final String name;
        private int heads;

        Team(String name) {
            this.name = name;
        }

        synchronized void hire(int n) {
            heads += n;
        }

        synchronized int heads() {
            return heads;
        }
    }

    private final List<Team> teams = new ArrayList<>();
    private int budget;

    public synchronized void found(String name) {
        teams.add(new Team(name));
    }

    public synchronized boolean hire(String name, int n) {
        for (Team team : teams) {
            if (team.name.equals(name)) {
                team.hire(n);
                budget -= n;
                return true;
            }
        }
        return false;
    }

    public synchronized int heads() {
        int sum = 0;
        for (Team team : teams) {
            sum += team.heads();
        }
        return sum;
    }

    public synchronized int budget() {
        return budget;
    }
}
