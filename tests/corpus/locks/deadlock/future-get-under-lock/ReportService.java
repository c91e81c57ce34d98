package report;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class ReportService {
    private final ExecutorService pool = Executors.newFixedThreadPool(2, task -> {
        Thread thread = new Thread(task, "report");
        thread.setDaemon(true);
        return thread;
    });
    private final Map<String, Integer> totals = new HashMap<>();

    public synchronized void book(String account, int amount) {
        totals.merge(account, amount, Integer::sum);
    }

    private int sum() {
        synchronized (this) {
            int sum = 0;
            for (int total : totals.values()) {
                sum += total;
            }
            return sum;
        }
    }

    public synchronized String monthly() throws InterruptedException {
        Future<Integer> sum = pool.submit(this::sum);
        String title = "accounts: " + totals.size();
        try {
            return title + ", sum: " + sum.get();
        } catch (ExecutionException e) {
            return title + ", sum unknown";
        }
    }
}
