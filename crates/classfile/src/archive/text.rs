//! The two text files of a jar that matter here: the manifest's main section and service files.

/// What the main section of `META-INF/MANIFEST.MF` says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Manifest {
    pub(super) multi_release: bool,
    pub(super) main_class: Option<String>,
}

pub(super) fn parse_manifest(text: &[u8]) -> Manifest {
    let mut manifest = Manifest::default();
    for attribute in main_section(text) {
        let Some((name, value)) = attribute.split_once(':') else { continue };
        let value = value.strip_prefix(' ').unwrap_or(value);
        if name.eq_ignore_ascii_case("Multi-Release") {
            manifest.multi_release = value.eq_ignore_ascii_case("true");
        } else if name.eq_ignore_ascii_case("Main-Class") && !value.trim().is_empty() {
            manifest.main_class = Some(internal_name(value.trim()));
        }
    }
    manifest
}

/// The provider classes that a service file names, in its order and each once.
pub fn parse_providers(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let mut seen = std::collections::HashSet::new();
    text.split(['\n', '\r'])
        .filter_map(|line| line.split('#').next())
        .map(str::trim)
        .filter(|name| !name.is_empty() && seen.insert(*name))
        .map(internal_name)
        .collect()
}

pub(super) fn internal_name(binary_name: &str) -> String {
    binary_name.replace('.', "/")
}

/// The attributes up to the first empty line, continuation lines joined to theirs. Joined as bytes,
/// because lines are folded after 72 bytes even in the middle of a character.
fn main_section(text: &[u8]) -> Vec<String> {
    let mut attributes: Vec<Vec<u8>> = Vec::new();
    for line in lines(text).take_while(|line| !line.is_empty()) {
        match (line.strip_prefix(b" "), attributes.last_mut()) {
            (Some(rest), Some(last)) => last.extend_from_slice(rest),
            _ => attributes.push(line.to_vec()),
        }
    }
    attributes.iter().map(|line| String::from_utf8_lossy(line).into_owned()).collect()
}

/// Lines that end in CR LF, LF or CR.
fn lines(mut text: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        if text.is_empty() {
            return None;
        }
        let end = text.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(text.len());
        let line = &text[..end];
        let skip = if text[end..].starts_with(b"\r\n") { end + 2 } else { end + 1 };
        text = text.get(skip..).unwrap_or_default();
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifest_main_section_with_folded_lines() {
        let manifest = parse_manifest(
            b"Manifest-Version: 1.0\r\nmulti-RELEASE: tr\r\n uE\r\nMain-Class: p.q.M\n ain\r\rX: y\n",
        );
        assert!(manifest.multi_release);
        assert_eq!(manifest.main_class.as_deref(), Some("p/q/Main"));
    }

    #[test]
    fn later_sections_and_other_values_do_not_count() {
        let text = b"A: b\n\nName: x\nMulti-Release: true\nMain-Class: M\n";
        assert_eq!(parse_manifest(text), Manifest::default());
        assert!(!parse_manifest(b"Multi-Release: false\n").multi_release);
        assert!(!parse_manifest(b" Multi-Release: true\n").multi_release);
        assert_eq!(parse_manifest(b"Main-Class:  \n").main_class, None);
        assert_eq!(parse_manifest(b"\xff: \xfe\nno colon"), Manifest::default());
    }

    #[test]
    fn providers_without_comments_and_repetitions() {
        let text = b"# a comment\np.A # and another\r\n\r\n  p.B$C\t\np.A\n\xff\n";
        assert_eq!(parse_providers(text), ["p/A", "p/B$C", "\u{fffd}"]);
    }
}
