import crypt.CurvePoint;
import java.math.BigInteger;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(CurvePoint.INFINITY, new CurvePoint(BigInteger.ONE, BigInteger.TWO), new CurvePoint(BigInteger.ONE, BigInteger.TWO),
                new CurvePoint(BigInteger.TWO, BigInteger.ONE), new CurvePoint(BigInteger.ZERO, BigInteger.ZERO));
    }
}
