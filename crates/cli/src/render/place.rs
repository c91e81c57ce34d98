//! Where a finding is, in the ways that readers and programs expect.
//!
//! Descriptors and frames come from class files: whatever does not have the expected form is shown
//! as it is, never an error.

use checks::Subject;

/// The subject as a Java developer would name it: `p.C.equals(Object)`.
pub(super) fn readable(subject: &Subject) -> String {
    match (&subject.class, &subject.method) {
        (None, _) => "all analysed classes".to_owned(),
        (Some(class), None) => class.clone(),
        (Some(class), Some(method)) => format!("{class}.{}", readable_method(method)),
    }
}

/// `C.java:12`, `C.java`, or nothing.
pub(super) fn location(subject: &Subject) -> Option<String> {
    let file = subject.file.as_ref()?;
    Some(match subject.line {
        Some(line) => format!("{file}:{line}"),
        None => file.clone(),
    })
}

/// `equals(Ljava/lang/Object;)Z` as `equals(Object)`.
pub(super) fn readable_method(method: &str) -> String {
    readable_parameters(method).unwrap_or_else(|| method.to_owned())
}

fn readable_parameters(method: &str) -> Option<String> {
    let (name, descriptor) = method.split_once('(')?;
    let (mut rest, _) = descriptor.split_once(')')?;
    let mut parameters = Vec::new();
    while !rest.is_empty() {
        let (parameter, tail) = readable_type(rest)?;
        parameters.push(parameter);
        rest = tail;
    }
    Some(format!("{name}({})", parameters.join(", ")))
}

/// The first type of a descriptor, by its simple name, and what follows it.
fn readable_type(descriptor: &str) -> Option<(String, &str)> {
    let element = descriptor.trim_start_matches('[');
    let dimensions = descriptor.len() - element.len();
    let (name, rest) = match element.chars().next()? {
        'L' => {
            let (class, rest) = element[1..].split_once(';')?;
            (class.rsplit('/').next()?, rest)
        }
        letter => (primitive(letter)?, &element[1..]),
    };
    Some((format!("{name}{}", "[]".repeat(dimensions)), rest))
}

fn primitive(letter: char) -> Option<&'static str> {
    Some(match letter {
        'B' => "byte",
        'C' => "char",
        'D' => "double",
        'F' => "float",
        'I' => "int",
        'J' => "long",
        'S' => "short",
        'Z' => "boolean",
        _ => return None,
    })
}

/// A stack frame `p.C.m(C.java:12)`, taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Frame<'a> {
    pub(super) class: &'a str,
    pub(super) file: &'a str,
    pub(super) line: u32,
}

pub(super) fn parse_frame(frame: &str) -> Option<Frame<'_>> {
    let (member, place) = frame.strip_suffix(')')?.rsplit_once('(')?;
    let (class, _) = member.rsplit_once('.')?;
    let (file, line) = place.rsplit_once(':')?;
    Some(Frame { class, file, line: line.parse().ok().filter(|&line| line > 0)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_become_parameter_lists() {
        assert_eq!(readable_method("equals(Ljava/lang/Object;)Z"), "equals(Object)");
        assert_eq!(readable_method("m(I[[DLp/A$B;J)V"), "m(int, double[][], A$B, long)");
        assert_eq!(readable_method("<clinit>()V"), "<clinit>()");
    }

    #[test]
    fn what_is_no_descriptor_is_shown_as_it_is() {
        for method in ["equals", "m(Lp/A)V", "m([)V", "m(I", "m(é)V", "m(V)V"] {
            assert_eq!(readable_method(method), method);
        }
    }

    #[test]
    fn frames() {
        let frame = Frame { class: "p.C", file: "C.java", line: 12 };
        assert_eq!(parse_frame("p.C.m(C.java:12)"), Some(frame));
        assert_eq!(parse_frame("p.C.m(Native Method)"), None);
        assert_eq!(parse_frame("p.C.m(C.java:0)"), None);
        assert_eq!(parse_frame("p.C.m"), None);
    }
}
