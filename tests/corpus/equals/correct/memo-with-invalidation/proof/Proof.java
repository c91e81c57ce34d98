import mut.Bean;
import support.Contract;

public class Proof {
    static Bean of(String name, int... marks) {
        Bean b = new Bean();
        b.setName(name);
        b.setMarks(marks);
        return b;
    }

    public static void main(String[] args) {
        Bean changed = of("x", 5, 5);
        changed.hashCode();
        changed.setMark(0, 1);
        changed.hashCode();
        changed.setName("a");
        changed.setMark(1, 2);
        Contract.judge(changed, of("a", 1, 2), of(null), new Bean(), of("a"), of("a", 2, 1));
    }
}
