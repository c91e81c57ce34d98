import school.Grade;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Grade(Short.MIN_VALUE, 'a', (byte) 1), new Grade(Short.MAX_VALUE, 'a', (byte) 1), new Grade((short) 0, '\uffff', (byte) 1),
                new Grade((short) 0, '\0', (byte) 1), new Grade((short) 0, '\0', (byte) -128), new Grade((short) 0, '\0', (byte) 127),
                new Grade((short) 0, '\0', (byte) 1));
    }
}
