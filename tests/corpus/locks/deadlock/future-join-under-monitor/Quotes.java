package quote;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

public class Quotes {
    private final Map<String, Integer> prices = new HashMap<>();
    private int refreshes;

    public void offer(String symbol, int price) {
        synchronized (prices) {
            prices.put(symbol, price);
        }
    }

    private int best() {
        synchronized (prices) {
            int best = 0;
            for (int price : prices.values()) {
                best = Math.max(best, price);
            }
            return best;
        }
    }

    /** Computes on another thread what that thread cannot compute while this one waits. */
    public int refresh() {
        synchronized (prices) {
            CompletableFuture<Integer> best = CompletableFuture.supplyAsync(this::best);
            refreshes++;
            return best.join() + refreshes;
        }
    }
}
