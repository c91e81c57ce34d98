import report.ReportService;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        ReportService service = new ReportService();
        Race.loop(service::monthly);
    }
}
