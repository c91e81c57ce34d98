package print;

import java.util.ArrayList;
import java.util.List;

public class Scheduler {
    private final List<Printer> printers = new ArrayList<>();
    private int wakeups;

    public void register(Printer printer) {
        synchronized (printers) {
            printers.add(printer);
        }
    }

    void wake() {
        synchronized (printers) {
            wakeups++;
        }
    }

    public int countBusy() {
        int busy = 0;
        synchronized (printers) {
            for (Printer printer : printers) {
                if (printer.isBusy()) {
                    busy++;
                }
            }
        }
        return busy;
    }
}
