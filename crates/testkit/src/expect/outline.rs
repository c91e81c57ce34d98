//! Where the declarations of a Java source stand: types and methods with their lines.
//!
//! Class files have no line for a declaration, only for statements, so a mark on a declaration is
//! resolved here. This is a bracket matcher with a sense for declaration heads, not a Java parser: it
//! trusts that javac accepts the file.

/// Lines are counted from 1. `first` is where the head starts (annotations included), `brace` where the
/// body opens, `last` where it closes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Declaration {
    pub(super) kind: Kind,
    /// The binary name of the class: `p.Outer$Inner`.
    pub(super) class: String,
    pub(super) first: u32,
    pub(super) brace: u32,
    pub(super) last: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Type,
    /// The name as in the class file: `equals`, `<init>`, `<clinit>`.
    Method(String),
}

impl Declaration {
    pub(super) fn head_has(&self, line: u32) -> bool {
        (self.first..=self.brace).contains(&line)
    }

    pub(super) fn has(&self, line: u32) -> bool {
        (self.first..=self.last).contains(&line)
    }
}

/// All declarations, in the order in which they open.
pub(super) fn outline(text: &str) -> Vec<Declaration> {
    let mut outliner = Outliner::default();
    for token in tokens(text) {
        outliner.step(token);
    }
    outliner.declarations
}

#[derive(Debug, Clone)]
struct Token<'a> {
    text: &'a str,
    line: u32,
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let (mut tokens, mut at, mut line) = (Vec::new(), 0, 1);
    while at < bytes.len() {
        let rest = &text[at..];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map_or(rest.len(), |end| end + 4)
        } else if rest.starts_with("\"\"\"") {
            literal_length(rest, "\"\"\"")
        } else if rest.starts_with('"') || rest.starts_with('\'') {
            literal_length(rest, &rest[..1])
        } else {
            let length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            let length =
                if length == 0 { rest.chars().next().map_or(1, char::len_utf8) } else { length };
            if !rest.starts_with(char::is_whitespace) {
                tokens.push(Token { text: &rest[..length], line });
            }
            length
        };
        line += rest[..length].matches('\n').count() as u32;
        at += length;
    }
    tokens
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

fn literal_length(rest: &str, quote: &str) -> usize {
    let mut at = quote.len();
    while at < rest.len() && !rest[at..].starts_with(quote) {
        let escape = rest[at..].starts_with('\\');
        at += usize::from(escape);
        at += rest[at..].chars().next().map_or(0, char::len_utf8);
    }
    (at + quote.len()).min(rest.len())
}

#[derive(Default)]
struct Outliner<'a> {
    package: String,
    scopes: Vec<Scope<'a>>,
    /// The tokens since the last end of a statement or block.
    head: Vec<Token<'a>>,
    parens: usize,
    declarations: Vec<Declaration>,
}

struct Scope<'a> {
    /// The index of the declaration that this block is the body of.
    declaration: Option<usize>,
    /// The constants of an enum come before its first semicolon.
    in_constants: bool,
    /// What to return to, for a block inside an expression.
    outer_head: Vec<Token<'a>>,
    outer_parens: usize,
}

impl<'a> Outliner<'a> {
    fn step(&mut self, token: Token<'a>) {
        match token.text {
            "{" => self.open(token.line),
            "}" => self.close(token.line),
            ";" if self.parens == 0 => self.end_statement(token.line),
            _ => {
                match token.text {
                    "(" => self.parens += 1,
                    ")" => self.parens = self.parens.saturating_sub(1),
                    _ => {}
                }
                self.head.push(token);
            }
        }
    }

    fn open(&mut self, line: u32) {
        let first = self.head.first().map_or(line, |token| token.line);
        let found = self.classify();
        let in_constants = self.head.iter().any(|token| token.text == "enum");
        let declaration = found.map(|(kind, class)| {
            self.declarations.push(Declaration { kind, class, first, brace: line, last: line });
            self.declarations.len() - 1
        });
        self.scopes.push(Scope {
            declaration,
            in_constants: in_constants && declaration.is_some(),
            outer_head: std::mem::take(&mut self.head),
            outer_parens: std::mem::take(&mut self.parens),
        });
    }

    fn close(&mut self, line: u32) {
        self.head.clear();
        self.parens = 0;
        let Some(scope) = self.scopes.pop() else { return };
        if let Some(index) = scope.declaration {
            self.declarations[index].last = line;
        }
        if scope.outer_parens > 0 {
            (self.head, self.parens) = (scope.outer_head, scope.outer_parens);
        }
    }

    fn end_statement(&mut self, line: u32) {
        if self.scopes.is_empty() && self.head.first().is_some_and(|token| token.text == "package")
        {
            self.package = self.head[1..].iter().map(|token| token.text).collect::<String>() + ".";
        }
        let constants = self.scopes.last().is_some_and(|scope| scope.in_constants);
        let class = self.enclosing_type().filter(|_| !constants);
        if let Some(class) = class
            && let Some(name) = self.method_name(&class)
        {
            let first = self.head.first().map_or(line, |token| token.line);
            let kind = Kind::Method(name);
            self.declarations.push(Declaration { kind, class, first, brace: line, last: line });
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.in_constants = false;
        }
        self.head.clear();
    }

    /// What a `{` opens: a type, a method, or `None` for any other block.
    fn classify(&mut self) -> Option<(Kind, String)> {
        if let Some(name) = self.type_name() {
            return Some((Kind::Type, self.nested_name(&name)));
        }
        let constant_body = self.scopes.last().is_some_and(|scope| scope.in_constants);
        if constant_body || self.opens_anonymous_class() {
            return Some((Kind::Type, self.anonymous_name()));
        }
        // Inside parentheses it is an annotation's list or a lambda.
        let class = self.enclosing_type().filter(|_| self.parens == 0)?;
        match self.method_name(&class) {
            Some(name) => Some((Kind::Method(name), class)),
            None => self.initializer_name(&class).map(|name| (Kind::Method(name), class)),
        }
    }

    fn type_name(&self) -> Option<String> {
        let head = &self.head;
        let mut parens = 0;
        for (index, token) in head.iter().enumerate() {
            match token.text {
                "(" => parens += 1,
                ")" => parens -= 1,
                _ => {}
            }
            let name = head
                .get(index + 1)
                .map(|token| token.text)
                .filter(|text| text.starts_with(is_word));
            let declares = match token.text {
                "class" | "interface" | "enum" => index == 0 || head[index - 1].text != ".",
                "record" => {
                    head.get(index + 2).is_some_and(|token| matches!(token.text, "(" | "<"))
                }
                _ => false,
            };
            if parens == 0
                && declares
                && let Some(name) = name
            {
                return Some(name.to_owned());
            }
        }
        None
    }

    /// The head ends in `new Name(...)`.
    fn opens_anonymous_class(&self) -> bool {
        let mut open = 0;
        let mut tokens = self.head.iter().rev().map(|token| token.text);
        if tokens.next() != Some(")") {
            return false;
        }
        for text in tokens.by_ref() {
            match text {
                ")" => open += 1,
                "(" if open == 0 => break,
                "(" => open -= 1,
                _ => {}
            }
        }
        let mut name = tokens.skip_while(|text| {
            *text != "new"
                && (text.starts_with(is_word) || matches!(*text, "." | "<" | ">" | "," | "?"))
        });
        name.next() == Some("new")
    }

    /// The name of the method whose head was read, if it is one.
    fn method_name(&self, class: &str) -> Option<String> {
        let head = without_annotations(&self.head);
        let open = head.iter().position(|text| *text == "(")?;
        if head[..open].contains(&"=") || open == 0 {
            return None;
        }
        let name = head[open - 1];
        Some(if name == simple_name(class) { "<init>" } else { name }.to_owned())
    }

    fn initializer_name(&self, class: &str) -> Option<String> {
        let head = without_annotations(&self.head);
        match head.last() {
            Some(&"static") if head.len() == 1 => Some("<clinit>".to_owned()),
            // An instance initialiser, and the compact constructor of a record.
            None => Some("<init>".to_owned()),
            Some(last) if *last == simple_name(class) => Some("<init>".to_owned()),
            Some(_) => None,
        }
    }

    /// The class whose body this is, directly.
    fn enclosing_type(&self) -> Option<String> {
        let declaration = &self.declarations[self.scopes.last()?.declaration?];
        (declaration.kind == Kind::Type).then(|| declaration.class.clone())
    }

    fn nested_name(&self, name: &str) -> String {
        match self.enclosing_declaration() {
            None => format!("{}{name}", self.package),
            Some(Declaration { kind: Kind::Type, class, .. }) => format!("{class}${name}"),
            // javac numbers local classes; the first of each name is the usual case.
            Some(Declaration { kind: Kind::Method(_), class, .. }) => format!("{class}$1{name}"),
        }
    }

    /// Anonymous classes are numbered within the class around them.
    fn anonymous_name(&self) -> String {
        let class = self.enclosing_declaration().map_or("", |declaration| &declaration.class);
        let mut names = (1..).map(|number| format!("{class}${number}"));
        let free = |name: &String| self.declarations.iter().all(|known| known.class != *name);
        names.find(free).unwrap_or_default()
    }

    fn enclosing_declaration(&self) -> Option<&Declaration> {
        let index = self.scopes.iter().rev().find_map(|scope| scope.declaration)?;
        Some(&self.declarations[index])
    }
}

fn simple_name(class: &str) -> &str {
    let name = class.rsplit(['.', '$']).next().unwrap_or(class);
    name.trim_start_matches(|c: char| c.is_ascii_digit())
}

fn without_annotations<'a>(head: &[Token<'a>]) -> Vec<&'a str> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < head.len() {
        if head[at].text != "@" {
            kept.push(head[at].text);
            at += 1;
            continue;
        }
        at += 2;
        while head.get(at).is_some_and(|token| token.text == ".") {
            at += 2;
        }
        if head.get(at).is_some_and(|token| token.text == "(") {
            let mut open = 0;
            while let Some(token) = head.get(at) {
                at += 1;
                match token.text {
                    "(" => open += 1,
                    ")" => open -= 1,
                    _ => {}
                }
                if open == 0 {
                    break;
                }
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        let name = |d: &Declaration| match &d.kind {
            Kind::Type => d.class.clone(),
            Kind::Method(name) => format!("{}.{name}", d.class),
        };
        outline(text)
            .iter()
            .map(|d| format!("{} {}-{}-{}", name(d), d.first, d.brace, d.last))
            .collect()
    }

    #[test]
    fn types_and_methods() {
        let text = r#"package p.q;
import java.util.*;
/** class Not { */
@SuppressWarnings({"a", "b"})
public final class A<T extends Comparable<T>>
        extends B {
    static int[] xs = {1, 2};
    static { xs[0] = 3; }
    String s = "class C { \" }", t = """
        class D { " }
        """;
    char c = '{', d = '\'';
    A(int x) { this(); }
    @Override
    @Some(value = {1, 2}, type = A.class)
    public boolean equals(Object o)
            throws Error {
        Runnable r = () -> { };
        for (int i = 0; i < 3; i++) { if (o instanceof A a) { return true; } }
        return o.getClass() == A.class;
    }
    abstract int f(int x);
    Class<?> k = A.class;
    interface I { default int g() { return 1; } }
}
"#;
        assert_eq!(
            lines(text),
            [
                "p.q.A 4-6-25",
                "p.q.A.<clinit> 8-8-8",
                "p.q.A.<init> 13-13-13",
                "p.q.A.equals 14-17-21",
                "p.q.A.f 22-22-22",
                "p.q.A$I 24-24-24",
                "p.q.A$I.g 24-24-24",
            ]
        );
    }

    #[test]
    fn anonymous_local_enum_and_record() {
        let text = "
class A {
    Object o = make(new Comparator<Map.Entry<String, ?>>() {
        public int compare(Object a, Object b) { return 0; }
    }, x -> { return x; });
    void m() {
        class Local { int h() { return 2; } }
        record R(int x) { R { check(x); } }
    }
    enum E { ONE { int v() { return 1; } }, TWO(2); int v() { return 2; } }
}
record P<T>(T x, @Ann(\"y\") int y) implements Q {}
";
        assert_eq!(
            lines(text),
            [
                "A 2-2-11",
                "A$1 3-3-5",
                "A$1.compare 4-4-4",
                "A.m 6-6-9",
                "A$1Local 7-7-7",
                "A$1Local.h 7-7-7",
                "A$1R 8-8-8",
                "A$1R.<init> 8-8-8",
                "A$E 10-10-10",
                "A$E$1 10-10-10",
                "A$E$1.v 10-10-10",
                "A$E.v 10-10-10",
                "P 12-12-12",
            ]
        );
    }

    /// The lines that javac gives to the methods of the examples lie inside of what is found here.
    #[test]
    fn agrees_with_javac() -> anyhow::Result<()> {
        let examples = crate::workspace_root().join("examples/equality");
        let mut n_lines = 0;
        for path in std::fs::read_dir(examples)?
            .map(|entry| Ok(entry?.path()))
            .collect::<anyhow::Result<Vec<_>>>()?
        {
            let text = std::fs::read_to_string(&path)?;
            let declarations = outline(&text);
            for (class, method, line) in javac_lines(&path)? {
                let named = Kind::Method(method.clone());
                let of_class: Vec<_> = declarations.iter().filter(|d| d.class == class).collect();
                let is_head = of_class.iter().any(|d| d.kind == Kind::Type && d.head_has(line));
                let inside = of_class.iter().any(|d| d.kind == named && d.has(line));
                // Field initialisers belong to constructors, bridges to the head of the class.
                assert!(inside || is_head || method == "<init>", "{class}.{method} line {line}");
                n_lines += usize::from(inside);
            }
        }
        assert!(n_lines > 40, "{n_lines}");
        Ok(())
    }

    /// (class, method, line) of all methods of a source, as javap shows them.
    fn javac_lines(source: &std::path::Path) -> anyhow::Result<Vec<(String, String, u32)>> {
        let siblings = source.parent().expect("has a directory");
        let mut sources = Vec::new();
        for path in std::fs::read_dir(siblings)?.map(|entry| entry.map(|entry| entry.path())) {
            let path = path?;
            let name = path.file_name().expect("a file").to_string_lossy().into_owned();
            sources.push((name, std::fs::read_to_string(path)?));
        }
        sources.sort();
        let sources: Vec<_> =
            sources.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let classes = crate::javac::compile(&sources, &[])?;
        let class = format!("shop.{}", source.file_stem().expect("a name").to_string_lossy());
        let mut javap = std::process::Command::new(crate::jdk::current()?.tool("javap")?);
        let output = javap.args(["-l", "-p", "-cp"]).arg(classes).arg(&class).output()?;
        let (mut method, mut lines) = (String::new(), Vec::new());
        for line in String::from_utf8(output.stdout)?.lines().map(str::trim) {
            if let Some((head, _)) = line.split_once('(') {
                let name = head.rsplit(' ').next().unwrap_or_default();
                method = if name == class { "<init>".to_owned() } else { name.to_owned() };
            } else if let Some(number) = line.strip_prefix("line ") {
                let number = number.split(':').next().unwrap_or_default().parse()?;
                lines.push((class.clone(), method.clone(), number));
            }
        }
        Ok(lines)
    }
}
