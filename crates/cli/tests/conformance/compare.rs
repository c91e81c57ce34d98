//! Whether two texts are the same value: numbers by their bits, since JDKs before 19 write some with
//! more digits than needed; all else letter by letter.

pub(crate) fn same(left: &str, right: &str) -> bool {
    if left == right {
        return true;
    }
    let (left, right) = (tokens(left), tokens(right));
    left.len() == right.len()
        && left.iter().zip(&right).all(|(a, b)| a == b || same_number(a, b) == Some(true))
}

/// Literals in quotes, punctuation, and what is between.
fn tokens(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut start = 0;
    while start < bytes.len() {
        let end = match bytes[start] {
            quote @ (b'"' | b'\'') => {
                let mut at = start + 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                (at + 1).min(bytes.len())
            }
            b'[' | b']' | b',' => start + 1,
            _ => {
                let rest = &bytes[start..];
                let length = rest.iter().position(|byte| b"[],\"'".contains(byte));
                start + length.unwrap_or(rest.len())
            }
        };
        tokens.push(&text[start..end]);
        start = end;
    }
    tokens
}

fn same_number(left: &str, right: &str) -> Option<bool> {
    if !left.contains('.') || !right.contains('.') {
        return None;
    }
    match (left.strip_suffix('f'), right.strip_suffix('f')) {
        (Some(left), Some(right)) => {
            let (left, right): (f32, f32) = (left.parse().ok()?, right.parse().ok()?);
            Some(left.to_bits() == right.to_bits())
        }
        (None, None) => {
            let (left, right): (f64, f64) = (left.parse().ok()?, right.parse().ok()?);
            Some(left.to_bits() == right.to_bits())
        }
        (_, _) => Some(false),
    }
}

#[test]
fn numbers_are_compared_by_bits() {
    assert!(same("[2.0E-3,\"1.0\"]", "[0.002,\"1.0\"]"));
    assert!(!same("[\"1.00\"]", "[\"1.0\"]"));
    assert!(!same("0.0", "-0.0"));
    assert!(!same("1.0f", "1.0"));
    assert!(same("-2.14748365E9f", "-2.1474836E9f"));
    assert!(!same("1", "1L"));
}
