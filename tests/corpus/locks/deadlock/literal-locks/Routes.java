package net;

import java.util.ArrayList;
import java.util.List;

public class Routes {
    private final List<String> table = new ArrayList<>();

    public void add(String from, String to) {
        synchronized ("net" + ".routes") {
            table.remove(from + "->" + to);
            table.add(from + "->" + to);
        }
    }

    public boolean refresh(Settings settings, String key) {
        synchronized ("net.routes") {
            String to = settings.get(key);
            if (to == null) {
                return false;
            }
            return table.contains(key + "->" + to);
        }
    }
}
