package tribe;

import java.util.Arrays;
import java.util.HashMap;

/** A map whose equality is that of its context name. */
public class ReplicatedMap extends HashMap<String, String> {
    private final transient byte[] context;

    public ReplicatedMap(String context) {
        this.context = context.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof ReplicatedMap)) {
            return false;
        }
        if (!o.getClass().equals(getClass())) {
            return false;
        }
        return Arrays.equals(context, ((ReplicatedMap) o).context);
    }
}
