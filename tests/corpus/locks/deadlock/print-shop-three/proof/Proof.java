import print.Printer;
import print.Scheduler;
import print.Spooler;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Spooler spooler = new Spooler();
        Printer printer = new Printer(spooler);
        Scheduler scheduler = new Scheduler();
        spooler.setScheduler(scheduler);
        scheduler.register(printer);
        Race.loop(printer::run, () -> spooler.enqueue(1), scheduler::countBusy);
    }
}
