import calc.Fraction;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        int min = Integer.MIN_VALUE;
        int max = Integer.MAX_VALUE;
        Contract.judge(new Fraction(1, 2), new Fraction(2, 4), new Fraction(-1, -2), new Fraction(0, 5), new Fraction(0, min),
                new Fraction(min, min), new Fraction(min, 1), new Fraction(1, min), new Fraction(max, min), new Fraction(min, max),
                new Fraction(max, max), new Fraction(1, max), new Fraction(-1, max), new Fraction(3, 3));
    }
}
