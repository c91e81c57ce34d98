import csv.Entry;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Entry("a,b", "c"), new Entry("a", "b,c"), new Entry(null, null), new Entry("a", "b"));
    }
}
