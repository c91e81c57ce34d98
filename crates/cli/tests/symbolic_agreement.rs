//! The symbolic machine against the concrete one: a method run once on open inputs, looked up at many
//! values, says what running on the values says, or that it does not know.

mod dump_support;

use std::fmt::Write;

use anyhow::{Context, Result};
use dump_support::jury;
use serde_json::Value;
use testkit::assembler::{ACC_PUBLIC, ACC_STATIC, ClassWriter, Code, opcodes};

const SOURCE: &str = r#"
import java.math.*;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.function.*;
import java.util.stream.*;
public final class P {
    static int[] table = {3, 1, 2};
    static final int[] SIZES = {1, 2, 4};
    interface Shape { int area(int k); }
    static class Square implements Shape { int s; Square(int s) { this.s = s; } public int area(int k) { return s * s + k; } }
    static class Bar extends Square { Bar(int s) { super(s); } public int area(int k) { return s - k; } }
    static class Node { int v; Node next; Node(int v, Node next) { this.v = v; this.next = next; } }

    static int loop(int a, int b) { int s = 0; for (int i = 0; i < (a & 7); i++) { if ((b & (1 << i)) != 0) s += i; else s ^= b; } return s; }
    static int nested(int a, int b) { int s = 1; for (int i = 0; i < (a & 3); i++) for (int j = 0; j < (b & 3); j++) s = s * 31 + i - j; return s; }
    static int divide(int a, int b) { try { return a / b + a % b; } catch (ArithmeticException e) { return -1; } finally { table[0]++; } }
    static int raw(int a, int b) { return a / b; }
    static int alias(int a, int b) { Node x = new Node(a, null); Node y = (a > b) ? x : new Node(b, x); y.v = 7; x.v += b; return x.v * 3 + y.v; }
    static int list(int a, int b) { Node n = null; for (int i = 0; i < (a & 3); i++) n = new Node(b + i, n); int s = 0; while (n != null) { s = s * 5 + n.v; n = n.next; } return s; }
    static int cells(int a, int b) { int[] c = new int[4]; c[a & 3] = b; c[b & 3] += a; return c[0] + 10 * c[1] + 100 * c[2] + 1000 * c[3]; }
    static int bounds(int a, int b) { int[] c = new int[3]; try { c[a] = b; return c[a]; } catch (ArrayIndexOutOfBoundsException e) { return 99; } }
    static int size(int a, int b) { return new int[a][1].length + b; }
    static int dispatch(int a, int b) { Shape s = a > 0 ? new Square(a) : new Bar(b); return s.area(b); }
    static int tested(int a, int b) { Object o = a > b ? (Object) Integer.valueOf(a) : "x"; if (o instanceof Integer i) return i + 1; return ((String) o).length(); }
    static int cast(int a, int b) { Object o = a > b ? (Object) new Square(1) : new Node(1, null); return ((Square) o).s; }
    static int ternary(int a, int b) { return (a < b ? a : b) + (a == b ? 1 : 0) - (a != 0 && b != 0 ? a ^ b : a | b); }
    static int shifts(int a, int b) { return (a << b) ^ (a >> b) ^ (a >>> b) ^ (int) ((long) a << b); }
    static int narrow(int a, int b) { return (byte) a + (short) b + (char) (a + b); }
    static int choose(int a, int b) { switch (a) { case 0: return b; case 1: case 2: return b + a; case 100: b++; default: return b * 2; } }
    static int lambda(int a, int b) { java.util.function.IntBinaryOperator f = a > b ? (x, y) -> x - y : (x, y) -> x + y; return f.applyAsInt(a, b); }
    static int boxing(int a, int b) { Function<Integer, Integer> f = i -> i + b; Function<String, Integer> g = String::length; return f.apply(a) * 7 + g.apply(a > b ? "ab" : "c"); }
    static long widening(int a, int b) { ToLongFunction<Integer> f = Integer::intValue; Supplier<Long> g = () -> (long) a * b; return f.applyAsLong(a) + g.get(); }
    static int unboxing(int a, int b) { IntBinaryOperator f = Integer::compare; Integer n = a > b ? null : Integer.valueOf(b); ToIntFunction<Integer> g = i -> i; return f.applyAsInt(a, b) + g.applyAsInt(n); }
    @SuppressWarnings({"unchecked", "rawtypes"})
    static int heaped(int a, int b) { Function f = (Function<String, Integer>) String::length; return (Integer) f.apply(a > b ? (Object) "abc" : (Object) b); }
    static int chain(int a, int b) { return Comparator.<Integer>comparingInt(i -> i & 12).thenComparing(Comparator.naturalOrder()).reversed().compare(a, b); }
    static int recursive(int a, int b) { return (a & 7) == 0 ? b : 1 + recursive((a & 7) - 1, b); }
    static int known(int a, int b) { return SIZES.length + (a == b ? SIZES.length : 0); }
    static int thrown(int a, int b) { if (a > b) throw new IllegalStateException("no"); return a; }
    static int rethrown(int a, int b) { try { return thrown(a, b); } catch (IllegalStateException e) { if (b == 0) throw e; return -2; } }
    static int text(int a, int b) { String s = a > b ? "left" : "right"; return s.length() * 10 + s.charAt(2) + (s.equals("left") ? 1 : 0); }
    static int floats(int a, int b) { double x = a * 0.5, y = b; return x < y ? (int) (x / y) : Double.compare(x, y) + (int) Math.sqrt(y); }
    static int integers(int a, int b) { BigInteger x = BigInteger.valueOf(a), y = BigInteger.valueOf(b), s = x.multiply(y).add(BigInteger.ONE); return s.signum() * 100 + s.intValue() + x.compareTo(y) * 7 + (x.add(y).equals(y.add(x)) ? 3 : 0) + s.hashCode() + s.toString().length() + (x.equals(a) ? 1 : 0); }
    static int quotient(int a, int b) { try { return BigInteger.valueOf(a).divide(BigInteger.valueOf(b)).intValueExact(); } catch (ArithmeticException e) { return -5; } }
    static int spelled(int a, int b) { try { return new BigInteger(a > b ? "+007" : b == 0 ? "x" : "-12").intValue() + new BigDecimal("1.50").scale(); } catch (NumberFormatException e) { return -6; } }
    static int same(int a, int b) { BigInteger x = a > b ? BigInteger.TEN : BigInteger.valueOf(b); return x.bitLength() * 2 + (x.max(BigInteger.ZERO).equals(x) ? 1 : 0) + (x.compareTo(null) == 0 ? 1 : 0); }
    static int decimals(int a, int b) { BigDecimal x = BigDecimal.valueOf(a, 1), y = new BigDecimal(b); return x.compareTo(y) * 1000 + (x.equals(y) ? 1 : 0) + x.add(y).scale() + x.setScale(3, RoundingMode.HALF_UP).hashCode() + (x.multiply(BigDecimal.TEN).compareTo(new BigDecimal(a)) == 0 ? 5 : 0) + x.stripTrailingZeros().precision() + y.signum(); }
    static double signs(int a, int b) { return Math.copySign(a, b - 0.5) + Math.nextUp((double) b) + Math.max(0.0 * a, -0.0) + Math.min((float) a, b); }
    enum Coin { PENNY(1), NICKEL(5), DIME(10) { int worth() { return 11; } }; final int cents; Coin(int cents) { this.cents = cents; } int worth() { return cents; } }
    static int counted(int a, int b) { int s = 0; for (Coin c : Coin.values()) { s = s * 3 + (c.ordinal() == (a & 3) ? c.worth() : c.cents + b); } return s; }
    static int picked(int a, int b) { Coin[] all = Coin.values(); all[0] = all[1]; return Coin.values()[a].worth() * 100 + all[a].cents + b; }
    static int spelt(int a, int b) { try { return Coin.valueOf(a > b ? "DIME" : a == b ? "dime" : "PENNY").worth(); } catch (IllegalArgumentException e) { return -7; } }
    static int unspelt(int a, int b) { return Coin.valueOf(a > b ? null : "NICKEL").cents; }
    static int keyed(int a, int b) { EnumMap<Coin, Integer> m = new EnumMap<>(Coin.class); m.put(a > b ? Coin.DIME : Coin.PENNY, a); m.merge(Coin.DIME, b, Integer::sum); int s = m.size(); for (Coin c : m.keySet()) { s = s * 7 + m.get(c); } return s; }
    static int joined(int a, int b) { String s = String.join("-", a > b ? "x" : "yy", String.valueOf(b)); return s.length() * 1000 + s.charAt(1) + (s.equals("x-1") ? 1 : 0); }
    static int collected(int a, int b) { return Stream.of(a, b, 3).map(i -> "" + i).collect(Collectors.joining(",", "[", "]")).hashCode(); }
    static long longs(int a, int b) { long x = a; return x * b - (x << 33) + Long.compare(a, b); }
}
"#;

const METHODS: [(&str, &str); 44] = [
    ("counted", "I"),
    ("picked", "I"),
    ("spelt", "I"),
    ("unspelt", "I"),
    ("keyed", "I"),
    ("joined", "I"),
    ("collected", "I"),
    ("integers", "I"),
    ("quotient", "I"),
    ("spelled", "I"),
    ("same", "I"),
    ("decimals", "I"),
    ("signs", "D"),
    ("loop", "I"),
    ("nested", "I"),
    ("divide", "I"),
    ("raw", "I"),
    ("alias", "I"),
    ("list", "I"),
    ("cells", "I"),
    ("bounds", "I"),
    ("size", "I"),
    ("dispatch", "I"),
    ("tested", "I"),
    ("cast", "I"),
    ("ternary", "I"),
    ("shifts", "I"),
    ("narrow", "I"),
    ("choose", "I"),
    ("lambda", "I"),
    ("boxing", "I"),
    ("widening", "J"),
    ("unboxing", "I"),
    ("heaped", "I"),
    ("chain", "I"),
    ("recursive", "I"),
    ("known", "I"),
    ("thrown", "I"),
    ("rethrown", "I"),
    ("text", "I"),
    ("floats", "I"),
    ("longs", "J"),
    ("loop", "I"),
    ("cells", "I"),
];

const VALUES: [i32; 11] = [0, 1, -1, 2, 3, 5, 7, 100, i32::MAX, i32::MIN, -13];

fn outcomes(classes: &str, calls: &str, mode: &[&str]) -> Result<Vec<Value>> {
    let mut arguments = vec!["eval", "--json", "--cp", classes, "--calls", calls];
    arguments.extend(mode);
    let ran = jury(arguments)?;
    let lines = ran.stdout.lines().map(serde_json::from_str);
    lines.collect::<serde_json::Result<_>>().with_context(|| ran.stderr.clone())
}

#[test]
fn one_symbolic_run_says_what_many_concrete_ones_say() -> Result<()> {
    let classes = testkit::javac::compile(&[("P.java", SOURCE)], &[])?;
    let mut text = String::new();
    for (method, result) in METHODS {
        for a in VALUES {
            for b in VALUES {
                writeln!(text, "P.{method}(II){result} {a} {b}")?;
            }
        }
    }
    let calls = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("symbolic-calls.txt");
    std::fs::write(&calls, text)?;
    let (classes, calls) = (classes.display().to_string(), calls.display().to_string());
    let concrete = outcomes(&classes, &calls, &[])?;
    let symbolic = outcomes(&classes, &calls, &["--symbolic"])?;
    assert_eq!(concrete.len(), symbolic.len());
    let mut n_gaps = 0;
    for (one, two) in concrete.iter().zip(&symbolic) {
        if two["outcome"] == "gap" {
            n_gaps += 1;
            continue;
        }
        assert_eq!((&one["outcome"], &one["value"]), (&two["outcome"], &two["value"]), "{two}");
    }
    // Loops beyond the bound, and arrays of unknown length, are gaps.
    assert!(n_gaps * 8 < concrete.len(), "{n_gaps} of {} are gaps", concrete.len());
    Ok(())
}

#[test]
fn open_arguments_give_the_merged_outcome() -> Result<()> {
    let ran = jury(["eval", "java.lang.Math.floorMod(II)I", "_", "3"])?;
    assert!(ran.stdout.contains("merged return"), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("a0 % 3"), "{}", ran.stdout);
    let ran = jury(["eval", "java.lang.Integer.divideUnsigned(II)I", "_", "_"])?;
    let thrown = "throw new java.lang.ArithmeticException #0 if (a1 == 0)";
    assert!(ran.stdout.contains(thrown), "{}", ran.stdout);
    Ok(())
}

/// Objects of the library's own class are known by their numbers; a parameter may be of a subclass, which does
/// what it likes.
#[test]
fn big_numbers_are_followed_where_they_are_no_subclass() -> Result<()> {
    let source = r#"
import java.math.*;
public final class Q {
    static boolean open(BigInteger a, BigInteger b) { return a.add(b).equals(b.add(a)); }
    static boolean other(long a, BigInteger b) { return BigInteger.valueOf(a).add(b).equals(b); }
    static boolean made(long a, long b) { return BigInteger.valueOf(a).add(BigInteger.valueOf(b)).equals(BigInteger.valueOf(b).add(BigInteger.valueOf(a))); }
    static boolean apart(long a, long b) { return BigInteger.valueOf(a).subtract(BigInteger.valueOf(b)).equals(BigInteger.valueOf(b).subtract(BigInteger.valueOf(a))); }
    static boolean identical(long a) { return BigInteger.valueOf(a) == BigInteger.valueOf(a); }
    static int order(long a, long b) { return BigDecimal.valueOf(a).compareTo(BigDecimal.valueOf(b)); }
}
"#;
    let classes = testkit::javac::compile(&[("Q.java", source)], &[])?.display().to_string();
    let merged = |method: &str, n_open: usize| -> Result<String> {
        let mut arguments = vec!["eval", "--cp", &classes, method];
        arguments.extend(std::iter::repeat_n("_", n_open));
        Ok(jury(arguments)?.stdout)
    };
    let integer = "Ljava/math/BigInteger;";
    let open = merged(&format!("Q.open({integer}{integer})Z"), 2)?;
    assert!(open.contains("rests on a call to the outside"), "{open}");
    let other = merged(&format!("Q.other(J{integer})Z"), 2)?;
    assert!(other.contains("rests on a call to the outside"), "{other}");
    assert_eq!(merged("Q.made(JJ)Z", 2)?.trim(), "merged return 1");
    let apart = merged("Q.apart(JJ)Z", 2)?;
    assert!(apart.contains("subtract") && !apart.contains("outside"), "{apart}");
    let identical = merged("Q.identical(J)Z", 1)?;
    assert!(identical.contains("keeps") && !identical.contains("outside"), "{identical}");
    let order = merged("Q.order(JJ)I", 2)?;
    assert_eq!(order.trim(), "merged return ((a0 < a1) ? -1 : ((a0 == a1) ? 0 : 1))");
    Ok(())
}

/// No compiler leaves it to `ireturn` to cut an int, but a JVM does it.
#[test]
fn results_are_cut_to_their_types() -> Result<()> {
    let mut class = ClassWriter::new(49, "Cut", "java/lang/Object");
    for result in ["Z", "B", "C", "S", "I"] {
        let mut code = Code::new();
        code.op(opcodes::ILOAD_0).op(opcodes::IRETURN);
        let descriptor = format!("(I){result}");
        class.method(ACC_PUBLIC | ACC_STATIC, "cut", &descriptor, code.limits(1, 1));
    }
    let directory = tempfile::tempdir()?;
    std::fs::write(directory.path().join("Cut.class"), class.bytes())?;
    let classes = directory.path().display().to_string();
    let answer = |result: &str, how: &[&str]| -> Result<String> {
        let method = format!("Cut.cut(I){result}");
        let call = ["--cp", &classes, &method, "70002"];
        let arguments = ["eval"].iter().chain(how).copied().chain(call);
        Ok(jury(arguments)?.stdout.trim().to_owned())
    };
    for how in [&[] as &[&str], &["--symbolic"]] {
        assert_eq!(answer("Z", how)?, "return false");
        assert_eq!(answer("B", how)?, "return 114");
        assert_eq!(answer("C", how)?, "return '\\u1172'");
        assert_eq!(answer("S", how)?, "return 4466");
        assert_eq!(answer("I", how)?, "return 70002");
    }
    Ok(())
}

#[test]
fn a_code_point_is_no_number() -> Result<()> {
    let method = "java.lang.Character.toString(I)Ljava/lang/String;";
    let ran = jury(["eval", "--symbolic", method, "97"])?;
    assert!(ran.stdout.starts_with("gap") || ran.stdout.contains("\"a\""), "{}", ran.stdout);
    Ok(())
}
