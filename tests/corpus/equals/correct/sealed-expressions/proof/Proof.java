import expr.Expr;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Expr one = new Expr.Num(1);
        Expr twice = new Expr.Neg(new Expr.Neg(one));
        Contract.judge(one, new Expr.Num(1), twice, new Expr.Add(one, null), new Expr.Add(one, null), new Expr.Neg(one),
                new Expr.Simplified(one), new Expr.Simplified(twice), new Expr.Simplified(null),
                new Expr.Simplified(new Expr.Neg(twice)), new Expr.Simplified(new Expr.Neg(one)),
                new Expr.Simplified(new Expr.Add(twice, null)), new Expr.Simplified(new Expr.Add(one, null)));
    }
}
