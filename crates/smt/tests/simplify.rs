//! What is equal by construction, operator by operator, and the edges of Java's arithmetic.

use smt::{Assignment, Evaluator, Leaf, Marks, Op, Sort, Term, Terms, Value};

struct Ints {
    terms: Terms,
    x: Term,
    y: Term,
    p: Term,
    q: Term,
}

fn ints() -> Ints {
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", Sort::BitVec(32)), terms.symbol("y", Sort::BitVec(32)));
    let (p, q) = (terms.symbol("p", Sort::Bool), terms.symbol("q", Sort::Bool));
    Ints { terms, x, y, p, q }
}

fn constant(terms: &Terms, term: Term) -> i32 {
    terms.as_const(term).expect("a constant") as u32 as i32
}

#[test]
fn sums_have_one_form() {
    let Ints { mut terms, x: h, y: b, .. } = ints();
    let t = &mut terms;
    let (five, factor, two) = (t.int(5), t.int(31), t.int(2));
    let shifted = t.java_shl(h, five);
    let by_shift = t.sub(shifted, h);
    let by_product = t.mul(factor, h);
    assert_eq!(by_shift, by_product, "(h << 5) - h is 31 * h");
    let twice = t.add(h, h);
    assert_eq!(twice, t.mul(two, h));
    let less = t.sub(h, b);
    assert_eq!(t.add(less, b), h);
    let minus = t.neg(h);
    assert_eq!(t.neg(minus), h);
    let not = t.bit_not(h);
    assert_eq!(t.bit_not(not), h);
    let all = t.add(h, not);
    assert_eq!(constant(t, all), -1);
    let (left, right) = (t.mul(h, b), t.mul(b, h));
    assert_eq!(left, right);
    // 31 * (31 + a) + b against its expansion.
    let inner = t.add(factor, h);
    let outer = t.mul(factor, inner);
    let folded = t.add(outer, b);
    let (square, linear) = (t.int(961), t.mul(factor, h));
    let sum = t.add(square, linear);
    assert_eq!(folded, t.add(b, sum));
}

#[test]
fn guards_fold_back() {
    let Ints { mut terms, x, p, q, .. } = ints();
    let t = &mut terms;
    let zero = t.int(0);
    let c = t.slt(x, zero);
    let not_c = t.not(c);
    let (left, right) = (t.and(&[p, c]), t.and(&[p, not_c]));
    assert_eq!(t.or(&[left, right]), p);
    let both = t.and(&[p, q, c]);
    let either = t.and(&[q, c]);
    let neither = t.not(either);
    let rest = t.and(&[p, neither]);
    assert_eq!(t.or(&[both, rest]), p);
    let not_p = t.not(p);
    let contradiction = t.and(&[p, q, not_p]);
    assert!(t.is_false(contradiction));
    let tautology = t.or(&[p, q, not_p]);
    assert!(t.is_true(tautology));
    let absorbed = t.or(&[p, both]);
    assert_eq!(absorbed, p);
    let resolved = t.and(&[not_p, q]);
    assert_eq!(t.or(&[p, resolved]), t.or(&[q, p]));
    let implied = t.implies(p, p);
    assert!(t.is_true(implied));
    assert_eq!(t.xor(p, not_p), t.bool(true));
    assert_eq!(t.iff(not_p, q), t.xor(p, q));
}

#[test]
fn ite_rewrites() {
    let Ints { mut terms, x, y, p, q } = ints();
    let t = &mut terms;
    let (zero, one, two) = (t.int(0), t.int(1), t.int(2));
    assert_eq!(t.ite(p, x, x), x);
    let inner = t.ite(p, x, y);
    let outer = t.ite(p, inner, zero);
    assert_eq!(outer, t.ite(p, x, zero));
    let not_p = t.not(p);
    assert_eq!(t.ite(not_p, x, y), t.ite(p, y, x));
    let chain = t.ite(q, x, y);
    let chain = t.ite(p, x, chain);
    let either = t.or(&[p, q]);
    assert_eq!(chain, t.ite(either, x, y));
    // A Java boolean on the stack and back.
    let flag = t.ite(p, one, zero);
    assert_eq!(t.ne(flag, zero), p);
    assert_eq!(t.eq(flag, one), p);
    let wrong = t.eq(flag, two);
    assert!(t.is_false(wrong));
    let low = t.extract(7, 0, flag);
    let byte = t.sign_extend(low, 32);
    assert_eq!(byte, flag);
    let codes = t.ite(q, two, flag);
    let positive = t.slt(zero, codes);
    assert_eq!(positive, t.or(&[p, q]));
    let same = t.eq(x, y);
    assert_eq!(t.ite(same, x, y), y);
    assert_eq!(t.ite(p, q, not_p), t.implies(p, q));
}

#[test]
fn comparisons_fold() {
    let Ints { mut terms, x, y, .. } = ints();
    let t = &mut terms;
    let (three, ten) = (t.int(3), t.int(10));
    let sum = t.add(x, three);
    let equal = t.eq(sum, ten);
    let seven = t.int(7);
    assert_eq!(equal, t.eq(x, seven));
    let difference = t.sub(x, y);
    let zero = t.int(0);
    assert_eq!(t.eq(difference, zero), t.eq(y, x));
    let next = t.add(x, three);
    let never = t.eq(x, next);
    assert!(t.is_false(never));
    // A char is never negative and fits its range.
    let low = t.extract(15, 0, x);
    let char = t.zero_extend(low, 32);
    let negative = t.slt(char, zero);
    assert!(t.is_false(negative));
    let large = t.int(65_536);
    let fits = t.slt(char, large);
    assert!(t.is_true(fits));
    let mask = t.int(0xffff);
    assert_eq!(t.bit_and(&[x, mask]), char);
    let beyond = t.eq(char, large);
    assert!(t.is_false(beyond));
    assert!(t.slt(x, x) == t.bool(false) && t.sle(x, x) == t.bool(true));
    let odd = t.mul(three, x);
    let product = t.eq(odd, ten);
    assert_eq!(t.op(product), Op::Eq);
    assert!(t.args(product).contains(&x), "3 * x = 10 is solved for x");
}

#[test]
fn widths_compose() {
    let Ints { mut terms, x, .. } = ints();
    let t = &mut terms;
    let (high, low) = (t.extract(31, 16, x), t.extract(15, 0, x));
    assert_eq!(t.concat(high, low), x);
    let long = t.sign_extend(x, 64);
    assert_eq!(t.extract(31, 0, long), x);
    let sixteen = t.int(16);
    let shifted = t.java_ushr(x, sixteen);
    assert_eq!(shifted, t.zero_extend(high, 32));
    let (far, one) = (t.int(33), t.int(1));
    assert_eq!(t.java_shl(x, far), t.java_shl(x, one), "distances are masked");
    let gone = t.shl(x, far);
    assert_eq!(constant(t, gone), 0);
    // (byte) ((byte) x + 1) is (byte) (x + 1).
    let byte = t.extract(7, 0, x);
    let wide = t.sign_extend(byte, 32);
    let next = t.add(wide, one);
    let narrow = t.extract(7, 0, next);
    let one8 = t.bitvec(8, 1);
    assert_eq!(narrow, t.add(byte, one8));
}

#[test]
fn arrays_read_over_write() {
    let mut terms = Terms::new();
    let t = &mut terms;
    let sort = t.array_sort(Sort::BitVec(32), Sort::BitVec(32));
    let (array, index) = (t.symbol("a", sort), t.symbol("i", Sort::BitVec(32)));
    let (one, value) = (t.int(1), t.int(42));
    let next = t.add(index, one);
    let stored = t.store(array, index, value);
    assert_eq!(t.select(stored, index), value);
    let skipped = t.select(stored, next);
    assert_eq!(skipped, t.select(array, next));
    let twice = t.store(stored, index, one);
    assert_eq!(twice, t.store(array, index, one));
    let read = t.select(array, index);
    assert_eq!(t.store(array, index, read), array);
    let zeros = t.const_array(sort, value);
    assert_eq!(t.select(zeros, index), value);
    let other = t.symbol("j", Sort::BitVec(32));
    let unknown = t.select(stored, other);
    assert_eq!(t.op(unknown), Op::Select);
}

#[test]
fn division_at_the_edges() {
    let mut terms = Terms::new();
    let t = &mut terms;
    for (left, right) in
        [(i32::MIN, -1), (7, -2), (-7, 2), (-7, -2), (i32::MAX, i32::MIN), (5, 1), (5, -1)]
    {
        let (l, r) = (t.int(left), t.int(right));
        let (quotient, remainder) = (t.sdiv(l, r), t.srem(l, r));
        assert_eq!(constant(t, quotient), left.wrapping_div(right), "{left} / {right}");
        assert_eq!(constant(t, remainder), left.wrapping_rem(right), "{left} % {right}");
    }
    let x = t.symbol("x", Sort::BitVec(32));
    let (one, minus) = (t.int(1), t.int(-1));
    assert_eq!(t.sdiv(x, one), x);
    assert_eq!(t.sdiv(x, minus), t.neg(x));
    let none = t.srem(x, minus);
    assert_eq!(constant(t, none), 0);
}

#[test]
fn floats_keep_their_edges() {
    let mut terms = Terms::new();
    let t = &mut terms;
    let x = t.symbol("x", Sort::Float64);
    let (zero, minus_zero, one) = (t.float64(0.0), t.float64(-0.0), t.float64(1.0));
    let nan = t.float64(f64::NAN);
    assert_eq!(t.float_add(x, minus_zero), x);
    assert_ne!(t.float_add(x, zero), x, "-0.0 + 0.0 is 0.0");
    assert_eq!(t.float_mul(x, one), x);
    let reflexive = t.float_eq(x, x);
    let is_nan = t.is_nan(x);
    assert_eq!(reflexive, t.not(is_nan));
    let same = t.eq(x, x);
    assert!(t.is_true(same));
    let (equal, identical) = (t.float_eq(zero, minus_zero), t.eq(zero, minus_zero));
    assert!(t.is_true(equal) && t.is_false(identical));
    let (equal, identical) = (t.float_eq(nan, nan), t.eq(nan, nan));
    assert!(t.is_false(equal) && t.is_true(identical));
    let (lt, le) = (t.float_lt(x, nan), t.float_le(nan, x));
    assert!(t.is_false(lt) && t.is_false(le));
    let payload = t.bitvec(64, 0x7ff0_0000_0000_0001);
    let float = t.bits_to_float(payload);
    assert_eq!(float, nan);
    let bits = t.float_to_bits(float);
    assert_eq!(t.as_const(bits), Some(0x7ff8_0000_0000_0000));
    let minus = t.float_neg(x);
    let difference = t.float_sub(one, x);
    assert_eq!(difference, t.float_add(one, minus));
    let (five, three) = (t.float64(-5.5), t.float64(3.0));
    let remainder = t.java_frem(five, three);
    assert_eq!(remainder, t.float64(-2.5));
    let open = t.java_frem(x, three);
    assert!(t.is_inexact(open, &mut Marks::new()) && !t.is_inexact(x, &mut Marks::new()));
}

#[test]
fn conversions_round_as_java_does() {
    let mut terms = Terms::new();
    let t = &mut terms;
    let doubles = [
        0.9,
        -0.9,
        2_147_483_647.5,
        2_147_483_648.0,
        -2_147_483_648.9,
        1e19,
        -1e19,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        9_007_199_254_740_993.0,
        -0.0,
    ];
    for double in doubles {
        let term = t.float64(double);
        let (int, long) = (t.float_to_int(term, 32), t.float_to_int(term, 64));
        assert_eq!(constant(t, int), double as i32, "{double}");
        assert_eq!(t.as_const(long), Some(double as i64 as u64), "{double}");
        let single = t.float_to_float(term, Sort::Float32);
        assert_eq!(single, t.float32(double as f32));
        let int = t.float_to_int(single, 32);
        assert_eq!(constant(t, int), double as f32 as i32, "{double}");
    }
    for long in [i64::MAX, i64::MIN, (1 << 53) + 1, (1 << 54) + 3, 16_777_217, -1] {
        let term = t.long(long);
        let (single, double) =
            (t.int_to_float(term, Sort::Float32), t.int_to_float(term, Sort::Float64));
        assert_eq!(single, t.float32(long as f32), "{long}");
        assert_eq!(double, t.float64(long as f64), "{long}");
    }
}

#[test]
fn cones_and_substitution() {
    let Ints { mut terms, x, y, p, .. } = ints();
    let t = &mut terms;
    let f = t.declare_function("f", &[Sort::BitVec(32)], Sort::BitVec(32));
    let applied = t.apply(f, &[x]);
    let sum = t.add(applied, y);
    let term = t.ite(p, sum, x);
    let mut marks = Marks::new();
    let symbol = |term| t.as_symbol(term).expect("a symbol");
    let all = [
        Leaf::Symbol(symbol(x)),
        Leaf::Symbol(symbol(y)),
        Leaf::Symbol(symbol(p)),
        Leaf::Function(f),
    ];
    assert_eq!(t.leaves(&[term], &mut marks), all);
    let tagged = Leaf::Symbol(symbol(y));
    assert!(t.depends_on(term, &mut marks, |leaf| leaf == tagged));
    assert!(!t.depends_on(applied, &mut marks, |leaf| leaf == tagged));
    let (yes, minus) = (t.bool(true), t.neg(applied));
    let map = [(p, yes), (y, minus)].into_iter().collect();
    let zero = t.substitute(term, &map, &mut Default::default());
    assert_eq!(constant(t, zero), 0);
}

/// A million nodes deep: nothing recurses.
#[test]
fn deep_terms() {
    let Ints { mut terms, x, y, p, .. } = ints();
    let t = &mut terms;
    let mut deep = x;
    for at in 0..300_000 {
        let product = t.mul(deep, y);
        let other = t.int(at);
        deep = t.ite(p, product, other);
        deep = t.bit_xor(&[deep, y]);
    }
    let mut marks = Marks::new();
    assert!(t.dag_size(&[deep], &mut marks) > 900_000);
    let mut assignment = Assignment::new();
    let symbol = t.as_symbol(p).expect("a symbol");
    assignment.set(t, symbol, &Value::Bool(true));
    let value = Evaluator::new().eval(t, deep, &assignment);
    assert_eq!(value.as_int(), Some(0));
    let z = t.symbol("z", Sort::BitVec(32));
    let map = [(x, z)].into_iter().collect();
    let moved = t.substitute(deep, &map, &mut Default::default());
    assert_ne!(moved, deep);
}

/// The size of guards and sums stays linear in what was built.
#[test]
fn long_conjunctions_and_sums_stay_small() {
    let mut terms = Terms::new();
    let t = &mut terms;
    let (mut guard, mut sum) = (t.bool(true), t.int(0));
    for at in 0..20_000 {
        let p = t.symbol("p", Sort::Bool);
        guard = t.and(&[guard, p]);
        let x = t.symbol("x", Sort::BitVec(32));
        let factor = t.int(at + 1);
        let product = t.mul(factor, x);
        sum = t.add(sum, product);
    }
    let mut marks = Marks::new();
    let args: usize =
        t.cone(&[guard, sum], &mut marks).iter().map(|&term| t.args(term).len()).sum();
    assert!(args < 400_000, "{args}");
}

#[test]
fn floats_that_lose_nothing_have_one_form() {
    let mut terms = Terms::new();
    let t = &mut terms;
    let (x, y) = (t.symbol("x", Sort::Float64), t.symbol("y", Sort::Float64));
    let (f, n) = (t.symbol("f", Sort::Float32), t.symbol("n", Sort::BitVec(32)));
    let (two, four, quarter) = (t.float64(2.0), t.float64(4.0), t.float64(0.25));
    assert_eq!(t.float_mul(two, x), t.float_add(x, x));
    assert_eq!(t.float_div(x, four), t.float_mul(quarter, x));
    let three = t.float64(3.0);
    assert_eq!(
        {
            let q = t.float_div(x, three);
            t.op(q)
        },
        Op::FloatDiv,
        "a third is not exact"
    );
    let least = t.float64(f64::from_bits(1));
    assert_eq!(
        {
            let q = t.float_div(x, least);
            t.op(q)
        },
        Op::FloatDiv,
        "its inverse is infinite"
    );
    let (wide, of_int) = (t.float_to_float(f, Sort::Float64), t.int_to_float(n, Sort::Float64));
    let product = t.float_mul(wide, wide);
    assert_eq!(t.float_to_float(product, Sort::Float32), t.float_mul(f, f));
    let mixed = t.float_mul(wide, x);
    assert_eq!(
        {
            let q = t.float_to_float(mixed, Sort::Float32);
            t.op(q)
        },
        Op::FloatToFloat
    );
    assert_eq!(t.float_to_int(of_int, 32), n);
    let (difference, zero) = (t.float_sub(x, y), t.float64(0.0));
    assert_eq!(t.float_lt(difference, zero), t.float_lt(x, y));
    assert_ne!(t.float_le(difference, zero), t.float_le(x, y), "infinity less itself is no number");
    let scaled = t.float_mul(three, of_int);
    let never = t.is_nan(scaled);
    assert!(t.is_false(never));
}
