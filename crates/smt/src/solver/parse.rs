//! S-expressions, as a solver prints them. Iterative: values of arrays nest deeply.

/// An S-expression. Quoted symbols lose their bars; strings become atoms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Sexp {
    Atom(String),
    List(Vec<Sexp>),
}

impl Sexp {
    pub(super) fn list(&self) -> Option<&[Sexp]> {
        if let Sexp::List(items) = self { Some(items) } else { None }
    }

    pub(super) fn atom(&self) -> Option<&str> {
        if let Sexp::Atom(text) = self { Some(text) } else { None }
    }
}

/// Deeper nesting than any value needs; dropping such an expression recurses.
const DEEPEST: usize = 20_000;

/// All expressions of a text; nothing if it is not a sequence of S-expressions.
pub(super) fn parse_sexps(text: &str) -> Option<Vec<Sexp>> {
    let bytes = text.as_bytes();
    let mut open: Vec<Vec<Sexp>> = vec![Vec::new()];
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'(' => {
                open.push(Vec::new());
                at += 1;
                if open.len() > DEEPEST {
                    return None;
                }
            }
            b')' => {
                let list = open.pop()?;
                open.last_mut()?.push(Sexp::List(list));
                at += 1;
            }
            b';' => at += bytes[at..].iter().take_while(|&&byte| byte != b'\n').count(),
            b'"' | b'|' => {
                let end = at + 1 + bytes[at + 1..].iter().position(|&end| end == byte)?;
                open.last_mut()?.push(Sexp::Atom(text.get(at + 1..end)?.to_string()));
                at = end + 1;
            }
            byte if byte.is_ascii_whitespace() => at += 1,
            _start => {
                let inside = |byte: &&u8| !byte.is_ascii_whitespace() && !b"();\"|".contains(byte);
                let end = at + bytes[at..].iter().take_while(inside).count();
                open.last_mut()?.push(Sexp::Atom(text.get(at..end)?.to_string()));
                at = end;
            }
        }
    }
    let top = open.pop()?;
    open.is_empty().then_some(top)
}

/// The bits of a literal: `#x..`, `#b..` or `(_ bvN w)`, with its width.
pub(super) fn parse_bits(value: &Sexp) -> Option<(u64, u32)> {
    match value {
        Sexp::Atom(text) => {
            if let Some(digits) = text.strip_prefix("#x") {
                return Some((u64::from_str_radix(digits, 16).ok()?, 4 * digits.len() as u32));
            }
            let digits = text.strip_prefix("#b")?;
            Some((u64::from_str_radix(digits, 2).ok()?, digits.len() as u32))
        }
        Sexp::List(items) => {
            let [underscore, number, width] = &items[..] else { return None };
            let digits = number.atom()?.strip_prefix("bv")?;
            if underscore.atom()? != "_" {
                return None;
            }
            Some((digits.parse().ok()?, width.atom()?.parse().ok()?))
        }
    }
}

/// The bits of a float of `width` bits: `(fp s e m)`, `(_ NaN ..)`, `(_ +oo ..)`, `(_ -zero ..)`, or
/// plain bits.
pub(super) fn parse_float(value: &Sexp, width: u32) -> Option<u64> {
    if let Some((bits, found)) = parse_bits(value) {
        return (found == width).then_some(bits);
    }
    let significand = if width == 32 { 23 } else { 52 };
    let exponent = width - 1 - significand;
    let items = value.list()?;
    match (items.first()?.atom()?, &items[1..]) {
        ("fp", [sign, power, fraction]) => {
            let (sign, power, fraction) =
                (parse_bits(sign)?, parse_bits(power)?, parse_bits(fraction)?);
            let fits = (sign.1, power.1, fraction.1) == (1, exponent, significand);
            fits.then_some((sign.0 << (width - 1)) | (power.0 << significand) | fraction.0)
        }
        ("_", [kind, ..]) => {
            let infinity = ((1 << exponent) - 1) << significand;
            match kind.atom()? {
                "NaN" => Some(infinity | (1 << (significand - 1))),
                "+oo" => Some(infinity),
                "-oo" => Some(infinity | (1 << (width - 1))),
                "+zero" => Some(0),
                "-zero" => Some(1 << (width - 1)),
                _unknown => None,
            }
        }
        (_, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Sexp, parse_bits, parse_float, parse_sexps};

    fn one(text: &str) -> Sexp {
        parse_sexps(text).and_then(|mut all| all.pop()).expect("an expression")
    }

    #[test]
    fn expressions() {
        let text = "; comment\n((|a b| \"x\") () #x1f)";
        let Sexp::List(items) = one(text) else { panic!("a list") };
        assert_eq!(items.len(), 3);
        assert_eq!(items[0], Sexp::List(vec![Sexp::Atom("a b".into()), Sexp::Atom("x".into())]));
        for wrong in ["(", ")", "(()", "\"abc", "|x", "a) (b"] {
            assert_eq!(parse_sexps(wrong), None, "{wrong}");
        }
        assert_eq!(parse_sexps(&"(".repeat(100_000)), None);
    }

    #[test]
    fn literals() {
        assert_eq!(parse_bits(&one("#xff")), Some((255, 8)));
        assert_eq!(parse_bits(&one("#b101")), Some((5, 3)));
        assert_eq!(parse_bits(&one("(_ bv7 32)")), Some((7, 32)));
        for wrong in ["#xgg", "#b2", "12", "(bv7 32)", "(_ bvx 3)", "#x11223344556677889"] {
            assert_eq!(parse_bits(&one(wrong)), None, "{wrong}");
        }
    }

    #[test]
    fn floats() {
        let cases: [(&str, f32); 6] = [
            ("(fp #b0 #x7f #b00000000000000000000000)", 1.0),
            ("(fp #b1 #b10000000 #b10000000000000000000000)", -3.0),
            ("(_ +oo 8 24)", f32::INFINITY),
            ("(_ -oo 8 24)", f32::NEG_INFINITY),
            ("(_ -zero 8 24)", -0.0),
            ("#x3f800000", 1.0),
        ];
        for (text, value) in cases {
            assert_eq!(parse_float(&one(text), 32), Some(u64::from(value.to_bits())), "{text}");
        }
        assert_eq!(parse_float(&one("(_ NaN 8 24)"), 32), Some(0x7fc0_0000));
        assert_eq!(parse_float(&one("(_ NaN 11 53)"), 64), Some(0x7ff8_0000_0000_0000));
        assert_eq!(parse_float(&one("(_ nothing 8 24)"), 32), None);
        assert_eq!(parse_float(&one("#x00"), 32), None);
    }
}
