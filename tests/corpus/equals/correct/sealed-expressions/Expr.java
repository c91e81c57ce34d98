package expr;

/** Records behind a sealed interface, and a holder that compares by case. */
public sealed interface Expr {
    record Num(int value) implements Expr {}

    record Neg(Expr of) implements Expr {}

    record Add(Expr left, Expr right) implements Expr {}

    /** Equal up to double negation. */
    final class Simplified {
        private final Expr expr;

        public Simplified(Expr expr) {
            this.expr = simplify(expr);
        }

        private static Expr simplify(Expr e) {
            if (e instanceof Neg n) {
                Expr inner = simplify(n.of());
                return inner instanceof Neg m ? m.of() : new Neg(inner);
            }
            if (e instanceof Add a) {
                return new Add(simplify(a.left()), simplify(a.right()));
            }
            return e;
        }

        @Override
        public boolean equals(Object o) {
            if (!(o instanceof Simplified s)) {
                return false;
            }
            return expr == null ? s.expr == null : expr.equals(s.expr);
        }

        @Override
        public int hashCode() {
            return expr == null ? 0 : expr.hashCode();
        }
    }
}
