package report;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public final class ReportService {
    private final ExecutorService pool = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "report");
        thread.setDaemon(true);
        return thread;
    });
    private final Map<String, Integer> totals = new HashMap<>();

    public synchronized void book(String account, int amount) {
        totals.merge(account, amount, Integer::sum);
    }

    private synchronized int sum() {
        int sum = 0;
        for (int total : totals.values()) {
            sum += total;
        }
        return sum;
    }

    public String monthly() throws InterruptedException {
        Future<Integer> sum;
        synchronized (this) {
            sum = totals.isEmpty() ? CompletableFuture.completedFuture(0) : pool.submit(this::sum);
        }
        try {
            return "sum: " + sum.get();
        } catch (ExecutionException e) {
            return "sum unknown";
        }
    }
}
