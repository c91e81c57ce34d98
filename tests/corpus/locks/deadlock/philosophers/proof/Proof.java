import dining.Philosopher;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Philosopher[] table = Philosopher.table(3);
        Race.loop(table[0]::eat, table[1]::eat, table[2]::eat);
    }
}
