//! Random small programs of our own grammar, as Java source.
//!
//! Integers of all widths, doubles, strings, boxes, arrays, objects that alias, exceptions with handlers
//! and `finally`, loops, switches, calls, dispatch, lambdas. Every program compiles and ends: loops turn
//! at most a few times, and a method calls only those before it. What is thrown on the way (null, bounds,
//! division by zero) is part of the outcome.

use std::fmt::Write;

/// Splitmix64: the same programs everywhere for one seed.
pub(crate) struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ty {
    Int,
    Long,
    Double,
    Boolean,
    Char,
    Text,
    Box,
    Ints,
    Node,
}

use Ty::{Boolean, Box as Boxed, Char, Double, Int, Ints, Long, Node, Text};

const PARAMETERS: &[Ty] =
    &[Int, Int, Int, Int, Long, Double, Boolean, Char, Text, Text, Boxed, Ints];
const LOCALS: &[Ty] = &[Int, Int, Int, Long, Double, Boolean, Char, Text, Boxed, Ints, Node, Node];
const RESULTS: &[Ty] = &[Int, Int, Int, Long, Double, Boolean, Text, Boxed, Ints];

impl Ty {
    fn word(self) -> &'static str {
        match self {
            Int => "int",
            Long => "long",
            Double => "double",
            Boolean => "boolean",
            Char => "char",
            Text => "String",
            Boxed => "Integer",
            Ints => "int[]",
            Node => "Node",
        }
    }
}

const HEAD: &str = r"
    static int S0;
    static Node S1;
    static final int[] TABLE = {3, 1, 4, 1, 5};
    static final class Node {
        int v; long w; Node next; int[] cells; final int id;
        Node(int v, Node next) { this.v = v; this.next = next; this.id = v ^ 7; if (v == 3) cells = new int[2]; }
        int sum() { return v + (next == null ? 0 : next.v); }
    }
    interface Shape { int area(int k); default int twice(int k) { return area(k) + area(k + 1); } }
    static class Square implements Shape {
        int side; Square(int side) { this.side = side; }
        public int area(int k) { side += k; return side * side; }
    }
    static class Bar extends Square {
        Bar(int side) { super(side - 1); }
        public int area(int k) { return k == 0 ? super.area(1) : side / k; }
    }
    record Pair(int a, String b) {}
    enum Color { RED, GREEN, BLUE; Color next() { return values()[(ordinal() + 1) % 3]; } }
";

/// A method that later ones may call.
struct Known {
    name: String,
    parameters: Vec<Ty>,
    result: Ty,
    cost: u32,
}

struct Writer<'r> {
    random: &'r mut Random,
    text: String,
    scope: Vec<(Ty, String)>,
    /// Names that lambdas may capture and nobody assigns.
    fixed: Vec<(Ty, String)>,
    known: &'r [Known],
    result: Ty,
    names: usize,
    loops: u32,
    cost: u32,
    indent: usize,
}

/// The source of `public final class NAME` with `methods` public static methods `m0`, `m1`, ...
pub(crate) fn class(name: &str, seed: u64, methods: usize) -> String {
    let mut random = Random(seed);
    let mut known: Vec<Known> = Vec::new();
    let mut text = format!("public final class {name} {{{HEAD}");
    for at in 0..methods {
        let parameters: Vec<Ty> =
            (0..1 + random.below(3)).map(|_| *random.pick(PARAMETERS)).collect();
        let result = *random.pick(RESULTS);
        let mut writer = Writer {
            random: &mut random,
            text: String::new(),
            scope: Vec::new(),
            fixed: Vec::new(),
            known: &known,
            result,
            names: 0,
            loops: 0,
            cost: 1,
            indent: 2,
        };
        writer.method(at, &parameters);
        let (body, cost) = (writer.text, writer.cost);
        text.push_str(&body);
        known.push(Known { name: format!("m{at}"), parameters, result, cost });
    }
    text.push_str("}\n");
    text
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:1$}{text}", "", 4 * self.indent);
    }

    fn method(&mut self, at: usize, parameters: &[Ty]) {
        let list: Vec<String> =
            parameters.iter().enumerate().map(|(n, ty)| format!("{} p{n}", ty.word())).collect();
        let head =
            format!("    public static {} m{at}({}) {{\n", self.result.word(), list.join(", "));
        self.text.push_str(&head);
        for (n, &ty) in parameters.iter().enumerate() {
            // Every second parameter may be assigned, the others captured.
            if n % 2 == 0 {
                self.fixed.push((ty, format!("p{n}")));
            } else {
                self.scope.push((ty, format!("p{n}")));
            }
        }
        self.line("S0 = 5; S1 = null;");
        for _ in 0..2 + self.random.below(3) {
            self.declare();
        }
        for _ in 0..2 + self.random.below(5) {
            self.statement(3);
        }
        let value = self.expression(self.result, 2);
        self.line(&format!("return {value};"));
        self.text.push_str("    }\n");
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn declare(&mut self) {
        let ty = *self.random.pick(LOCALS);
        let value = self.expression(ty, 2);
        let name = self.name();
        self.line(&format!("{} {name} = {value};", ty.word()));
        self.scope.push((ty, name));
    }

    fn block(&mut self, depth: u32, statements: usize) {
        let (mine, fixed) = (self.scope.len(), self.fixed.len());
        self.indent += 1;
        for _ in 0..statements {
            self.statement(depth);
        }
        self.indent -= 1;
        self.scope.truncate(mine);
        self.fixed.truncate(fixed);
    }

    fn assignable(&mut self, ty: Ty) -> Option<String> {
        let names: Vec<String> =
            self.scope.iter().filter(|(t, _)| *t == ty).map(|(_, name)| name.clone()).collect();
        if names.is_empty() { None } else { Some(self.random.pick(&names).clone()) }
    }

    fn statement(&mut self, depth: u32) {
        self.cost += 1;
        let simple = depth == 0;
        match self.random.below(if simple { 9 } else { 18 }) {
            0..=3 => self.assign(),
            4 => {
                let (node, value) = (self.expression(Node, 1), self.expression(Int, 1));
                self.line(&format!("({node}).v = {value};"));
            }
            5 => {
                let (one, two) = (self.expression(Node, 1), self.expression(Node, 1));
                self.line(&format!("({one}).next = {two};"));
            }
            6 | 7 => self.store(),
            8 => {
                let value = self.expression(Int, 2);
                self.line(&format!("S0 = {value};"));
            }
            9 | 10 => self.if_else(depth - 1),
            11 | 12 => self.turn(depth - 1),
            13 => self.guarded(depth - 1),
            14 => self.switch(depth - 1),
            15 => self.leave(),
            16 => {
                let node = self.expression(Node, 1);
                self.line(&format!("synchronized ({node}) {{"));
                self.block(depth - 1, 2);
                self.line("}");
            }
            _ => self.declare(),
        }
    }

    fn assign(&mut self) {
        let ty = *self.random.pick(LOCALS);
        let Some(name) = self.assignable(ty) else { return self.declare() };
        let value = self.expression(ty, 3);
        if ty == Int && self.random.one_in(3) {
            let op = *self.random.pick(&["+=", "-=", "*=", "^=", "<<=", "/=", "%="]);
            self.line(&format!("{name} {op} {value};"));
        } else {
            self.line(&format!("{name} = {value};"));
        }
    }

    fn store(&mut self) {
        let (array, value) = (self.expression(Ints, 1), self.expression(Int, 2));
        let index = self.index();
        let op = *self.random.pick(&["=", "=", "+=", "^="]);
        self.line(&format!("({array})[{index}] {op} {value};"));
    }

    fn index(&mut self) -> String {
        let index = self.expression(Int, 1);
        match self.random.below(4) {
            0 => index,
            1 => format!("{}", self.random.below(3)),
            _ => format!("({index}) & 3"),
        }
    }

    fn if_else(&mut self, depth: u32) {
        let condition = self.expression(Boolean, 2);
        self.line(&format!("if ({condition}) {{"));
        let n = 1 + self.random.below(3);
        self.block(depth, n);
        if self.random.one_in(2) {
            self.line("} else {");
            let n = 1 + self.random.below(2);
            self.block(depth, n);
        }
        self.line("}");
    }

    fn turn(&mut self, depth: u32) {
        if self.loops >= 2 {
            return self.if_else(depth);
        }
        self.loops += 1;
        let (bound, name) = (self.expression(Int, 1), self.name());
        let most = *self.random.pick(&[1, 3, 3]);
        let cost = self.cost;
        self.line(&format!("for (int {name} = 0; {name} < (({bound}) & {most}); {name}++) {{"));
        self.indent += 1;
        if self.random.one_in(2) {
            let condition = self.expression(Boolean, 1);
            let word = *self.random.pick(&["break", "continue"]);
            self.line(&format!("if ({condition}) {word};"));
        }
        let copy = self.name();
        self.line(&format!("final int {copy} = {name};"));
        self.fixed.push((Int, copy));
        self.indent -= 1;
        let n = 1 + self.random.below(3);
        self.block(depth, n);
        self.fixed.pop();
        self.line("}");
        self.cost += 3 * (self.cost - cost);
        self.loops -= 1;
    }

    fn guarded(&mut self, depth: u32) {
        self.line("try {");
        let n = 1 + self.random.below(3);
        self.block(depth, n);
        let finally = self.random.one_in(3);
        if !finally || self.random.one_in(2) {
            let class = *self.random.pick(&[
                "RuntimeException",
                "NullPointerException",
                "ArithmeticException",
                "IndexOutOfBoundsException",
                "IllegalStateException | ClassCastException",
            ]);
            let name = self.name();
            self.line(&format!("}} catch ({class} {name}) {{"));
            let n = self.random.below(3);
            self.block(depth, n);
            if self.random.one_in(4) {
                self.line(&format!("    if (S0 > 3) throw {name};"));
            }
        }
        if finally {
            self.line("} finally {");
            let n = 1 + self.random.below(2);
            self.block(depth.min(1), n);
        }
        self.line("}");
    }

    fn switch(&mut self, depth: u32) {
        let is_text = self.random.one_in(3);
        let value = self.expression(if is_text { Text } else { Int }, 1);
        self.line(&format!("switch ({value}) {{"));
        let mut labels: Vec<&str> = if is_text {
            vec!["\"a\"", "\"ab\"", "\"Aa\"", "\"BB\"", "\"\""]
        } else {
            vec!["0", "1", "-1", "7", "1000000"]
        };
        for _ in 0..1 + self.random.below(3) {
            let at = self.random.below(labels.len());
            let label = labels.swap_remove(at);
            self.line(&format!("    case {label}: {{"));
            self.block(depth, 1);
            let end = if self.random.one_in(3) { "}" } else { "} break;" };
            self.line(&format!("    {end}"));
        }
        if self.random.one_in(2) {
            self.line("    default: {");
            self.block(depth, 1);
            self.line("    }");
        }
        self.line("}");
    }

    /// Always behind a condition, so that what follows can be reached.
    fn leave(&mut self) {
        let condition = self.expression(Boolean, 1);
        let way = if self.random.one_in(2) {
            format!("return {};", self.expression(self.result, 2))
        } else {
            let class = *self.random.pick(&["IllegalStateException", "ArithmeticException"]);
            format!("throw new {class}(\"x\");")
        };
        self.line(&format!("if ({condition}) {way}"));
    }

    fn variable(&mut self, ty: Ty) -> Option<String> {
        let all = self.scope.iter().chain(&self.fixed);
        let names: Vec<String> =
            all.filter(|(t, _)| *t == ty).map(|(_, name)| name.clone()).collect();
        if names.is_empty() { None } else { Some(self.random.pick(&names).clone()) }
    }

    fn expression(&mut self, ty: Ty, depth: u32) -> String {
        if depth == 0 || self.random.one_in(4) {
            return match self.variable(ty) {
                Some(name) if !self.random.one_in(5) => name,
                Some(_) | None => (*self.random.pick(literals(ty))).to_owned(),
            };
        }
        if self.random.one_in(12)
            && let Some(call) = self.call(ty)
        {
            return call;
        }
        if self.random.one_in(8) {
            let condition = self.expression(Boolean, depth - 1);
            let (one, two) = (self.expression(ty, depth - 1), self.expression(ty, depth - 1));
            // The casts keep `Integer` from being unboxed by the conditional itself.
            return format!("(({condition}) ? ({0}) ({one}) : ({0}) ({two}))", ty.word());
        }
        let form = *self.random.pick(forms(ty));
        self.fill(form, depth - 1)
    }

    /// A form with its holes filled: `$i` stands for an int, and so on.
    fn fill(&mut self, form: &str, depth: u32) -> String {
        let mut text = String::new();
        let mut parts = form.split('$');
        text.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let (hole, rest) = part.split_at(1);
            let ty = match hole {
                "i" => Int,
                "l" => Long,
                "d" => Double,
                "b" => Boolean,
                "c" => Char,
                "s" => Text,
                "x" => Boxed,
                "a" => Ints,
                "n" => Node,
                _ => unreachable!("no hole is named {hole}"),
            };
            text.push_str(&self.expression(ty, depth));
            text.push_str(rest);
        }
        text
    }

    fn call(&mut self, ty: Ty) -> Option<String> {
        let fits: Vec<usize> = (0..self.known.len())
            .filter(|&at| self.known[at].result == ty && self.known[at].cost < 40)
            .collect();
        if fits.is_empty() || self.loops > 1 {
            return None;
        }
        let known = &self.known[*self.random.pick(&fits)];
        self.cost += known.cost;
        let arguments: Vec<String> =
            known.parameters.iter().map(|&ty| self.expression(ty, 0)).collect();
        Some(format!("{}({})", known.name, arguments.join(", ")))
    }
}

fn literals(ty: Ty) -> &'static [&'static str] {
    match ty {
        Int => &["0", "1", "2", "-1", "7", "127", "128", "Integer.MIN_VALUE", "Integer.MAX_VALUE"],
        Long => &["0L", "1L", "-5L", "4294967296L", "Long.MIN_VALUE", "Long.MAX_VALUE"],
        Double => &["0.0", "-0.0", "1.5", "-2.0", "Double.NaN", "1e300", "Double.MIN_VALUE"],
        Boolean => &["true", "false"],
        Char => &["'a'", "'Z'", "'\\uffff'", "'0'", "' '"],
        Text => &["\"a\"", "\"\"", "\"Aa\"", "\"BB\"", "\"hello\"", "(String) null"],
        Boxed => &["(Integer) 1", "(Integer) 500", "(Integer) (-128)", "(Integer) null"],
        Ints => &["new int[3]", "new int[] {1, 2, 3, 4}", "new int[0]", "(int[]) null"],
        Node => &["new Node(3, null)", "new Node(1, new Node(2, null))", "(Node) null", "S1"],
    }
}

fn forms(ty: Ty) -> &'static [&'static str] {
    match ty {
        Int => &[
            "($i + $i)",
            "($i - $i)",
            "($i * $i)",
            "($i / $i)",
            "($i % $i)",
            "($i & $i)",
            "($i | $i)",
            "($i ^ $i)",
            "($i << $i)",
            "($i >> $i)",
            "($i >>> $i)",
            "(-($i))",
            "(~($i))",
            "(int) (byte) ($i)",
            "(int) (short) ($i)",
            "(int) ($c)",
            "(int) ($l)",
            "(int) ($d)",
            "(int) ($x)",
            "(int) (float) ($d)",
            "($a).length",
            "($a)[($i) & 3]",
            "($a)[$i]",
            "TABLE[($i) & 3]",
            "TABLE.length",
            "($n).v",
            "($n).id",
            "($n).next.v",
            "($n).sum()",
            "($s).length()",
            "(int) (($s).charAt($i))",
            "($s).hashCode()",
            "($s).indexOf($c)",
            "($s).compareTo($s)",
            "Math.min($i, $i)",
            "Math.max($i, $i)",
            "Math.abs($i)",
            "Math.addExact($i, $i)",
            "Math.floorMod($i, $i)",
            "Integer.compare($i, $i)",
            "Integer.bitCount($i)",
            "Integer.highestOneBit($i)",
            "Integer.numberOfTrailingZeros($i)",
            "Integer.rotateLeft($i, $i)",
            "Integer.reverse($i)",
            "Long.compare($l, $l)",
            "Long.hashCode($l)",
            "Double.compare($d, $d)",
            "Double.hashCode($d)",
            "Character.getNumericValue($c)",
            "((java.util.function.IntUnaryOperator) z -> z * 3 - 1).applyAsInt($i)",
            "(($b) ? new Square($i) : new Bar($i)).area($i)",
            "((Shape) k -> k - 7).twice($i)",
            "new Pair($i, $s).hashCode()",
            "Color.values()[($i) & 1].next().ordinal()",
            "java.util.Objects.hash($i, $x)",
            "java.util.Objects.requireNonNull($x).intValue()",
            "java.util.Arrays.hashCode($a)",
            "System.identityHashCode(null)",
            "S0",
        ],
        Long => &[
            "($l + $l)",
            "($l * $l)",
            "($l - (long) ($i))",
            "($l / $l)",
            "($l % $l)",
            "($l << $i)",
            "($l >>> $i)",
            "($l ^ ($l >> 3))",
            "(long) ($i)",
            "(long) ($d)",
            "((long) ($i) * ($i))",
            "($n).w",
            "Math.max($l, $l)",
            "Math.floorDiv($l, $l)",
            "Long.rotateRight($l, $i)",
            "(Long.bitCount($l) + $l)",
            "Double.doubleToLongBits($d)",
        ],
        Double => &[
            "($d + $d)",
            "($d - $d)",
            "($d * $d)",
            "($d / $d)",
            "($d % $d)",
            "(-($d))",
            "(double) ($i)",
            "(double) ($l)",
            "(double) (float) ($d)",
            "Math.abs($d)",
            "Math.min($d, $d)",
            "Math.max($d, $d)",
            "Math.sqrt($d)",
            "Math.floor($d)",
            "Math.rint($d)",
            "Math.copySign($d, $d)",
        ],
        Boolean => &[
            "($i < $i)",
            "($i == $i)",
            "($i != $i)",
            "($l <= $l)",
            "($d < $d)",
            "($d == $d)",
            "($d >= $d)",
            "!($b)",
            "($b && $b)",
            "($b || $b)",
            "($b ^ $b)",
            "($s == null)",
            "($x == $x)",
            "($n == $n)",
            "($n == null)",
            "($a == $a)",
            "($s).equals($s)",
            "($s).isEmpty()",
            "($s).startsWith($s)",
            "($x).equals($x)",
            "java.util.Objects.equals($s, $s)",
            "java.util.Objects.equals($x, $x)",
            "java.util.Arrays.equals($a, $a)",
            "(((Object) ($s)) instanceof String)",
            "((($b) ? (Object) ($x) : ($s)) instanceof Integer)",
            "new Pair($i, $s).equals(new Pair($i, $s))",
            "Character.isDigit($c)",
            "Character.isLetter($c)",
            "Double.isNaN($d)",
        ],
        Char => &[
            "(char) ($i)",
            "($s).charAt(0)",
            "(char) (($c) + 1)",
            "Character.toUpperCase($c)",
            "Character.toLowerCase($c)",
        ],
        Text => &[
            "(($s) + ($s))",
            "(($s) + ($i))",
            "(($s) + ($c) + ($b))",
            "($s).concat($s)",
            "($s).substring($i)",
            "($s).substring(0, ($i) & 3)",
            "($s).trim()",
            "($s).replace($c, $c)",
            "($s).toUpperCase()",
            "String.valueOf($i)",
            "String.valueOf($c)",
            "Integer.toString($i)",
            "Long.toString($l)",
            "new StringBuilder($s).append($i).append($c).toString()",
            "new StringBuilder().append($s).append($s).reverse().toString()",
            "(String) (Object) ($s)",
            "String.valueOf((Object) ($x))",
        ],
        Boxed => &[
            "(Integer) ($i)",
            "Integer.valueOf(($i) & 255)",
            "(Integer) (Object) (($b) ? (Object) ($x) : ($s))",
        ],
        Ints => &[
            "new int[($i) & 3]",
            "new int[$i & 7]",
            "new int[] {$i, $i}",
            "($a).clone()",
            "java.util.Arrays.copyOf($a, ($i) & 7)",
            "($n).cells",
            "(new int[2][3])[($i) & 1]",
        ],
        Node => &["new Node($i, $n)", "($n).next", "java.util.Objects.requireNonNull($n)"],
    }
}
