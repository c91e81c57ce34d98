//! Class names that a user asks for: `com.acme.*`.

/// Patterns where `*` stands for any text; none at all matches everything.
pub(crate) struct Globs(Vec<String>);

impl Globs {
    pub(crate) fn new(patterns: &[String]) -> Globs {
        Globs(patterns.to_vec())
    }

    pub(crate) fn matches(&self, name: &str) -> bool {
        self.0.is_empty() || self.0.iter().any(|pattern| matches(pattern, name))
    }
}

fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_text() {
        assert!(matches("com.acme.*", "com.acme.a.B"));
        assert!(!matches("com.acme.*", "com.acmex.B"));
        assert!(matches("*.Point", "com.acme.Point"));
        assert!(matches("a*b*c", "a--b--c"));
        assert!(!matches("a*b*c", "a--c"));
        assert!(matches("p.C", "p.C"));
        assert!(!matches("p.C", "p.C$D"));
        assert!(Globs::new(&[]).matches("anything"));
    }
}
