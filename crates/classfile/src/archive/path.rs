//! What the path of a zip entry says: harmless or a trick, and which part of a jar it is.

/// The four bytes before the zip in a `.jmod` file.
pub(super) const JMOD_MAGIC: &[u8] = b"JM\x01\x00";

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    Jar,
    Jmod,
}

/// The part that an entry plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place<'a> {
    Class(ClassPath<'a>),
    /// A service file, by the interface that it names.
    Service(&'a [u8]),
    Manifest,
    /// An archive in a folder of libraries.
    Library,
    /// An archive at the top, on a class path only in an ear.
    EarModule,
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ClassPath<'a> {
    pub(super) root: Root,
    /// N of `META-INF/versions/N/`, 0 outside of it.
    pub(super) version: u16,
    /// Without root, version and `.class`; may be `module-info`.
    pub(super) name: &'a [u8],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Root {
    Top,
    BootInf,
    WebInf,
}

const LIBRARIES: [&[u8]; 5] =
    [b"BOOT-INF/lib/", b"WEB-INF/lib/", b"WEB-INF/lib-provided/", b"APP-INF/lib/", b"lib/"];

pub(super) fn classify(path: &[u8], layout: Layout) -> Place<'_> {
    match layout {
        Layout::Jmod => match path.strip_prefix(b"classes/") {
            Some(path) => classify_class(path, Root::Top, 0),
            None => Place::Other,
        },
        Layout::Jar if path.eq_ignore_ascii_case(b"META-INF/MANIFEST.MF") => Place::Manifest,
        Layout::Jar => match path.strip_prefix(b"META-INF/versions/") {
            Some(path) => classify_versioned(path),
            None => classify_base(path),
        },
    }
}

/// An ear says so in a descriptor that later versions made optional, or by holding a war.
pub(super) fn marks_ear(path: &[u8]) -> bool {
    path == b"META-INF/application.xml" || is_at_top(path, b".war")
}

fn classify_base(path: &[u8]) -> Place<'_> {
    let (root, path) = split_root(path);
    if let Some(interface) = path.strip_prefix(b"META-INF/services/") {
        let is_name = !interface.is_empty() && !interface.contains(&b'/');
        return if is_name { Place::Service(interface) } else { Place::Other };
    }
    if root == Root::Top && path.ends_with(b".jar") && LIBRARIES.iter().any(|l| path.starts_with(l))
    {
        return Place::Library;
    }
    if root == Root::Top && (is_at_top(path, b".jar") || is_at_top(path, b".war")) {
        return Place::EarModule;
    }
    classify_class(path, root, 0)
}

/// `N/...`, with N written as `JarFile` writes it when it looks an entry up.
fn classify_versioned(path: &[u8]) -> Place<'_> {
    let Some(slash) = path.iter().position(|&byte| byte == b'/') else { return Place::Other };
    let (digits, rest) = (&path[..slash], &path[slash + 1..]);
    let canonical = digits.iter().all(u8::is_ascii_digit) && digits.first() != Some(&b'0');
    let version = std::str::from_utf8(digits).ok().filter(|_| canonical);
    let Some(version) = version.and_then(|digits| digits.parse::<u16>().ok()) else {
        return Place::Other;
    };
    if version < 9 {
        return Place::Other;
    }
    let (root, rest) = split_root(rest);
    classify_class(rest, root, version)
}

fn classify_class(path: &[u8], root: Root, version: u16) -> Place<'_> {
    const NOT_PACKAGES: [&[u8]; 3] = [b"META-INF/", b"BOOT-INF/", b"WEB-INF/"];
    let Some(name) = path.strip_suffix(b".class") else { return Place::Other };
    if name.is_empty()
        || name.ends_with(b"/")
        || name.ends_with(b"/module-info")
        || NOT_PACKAGES.iter().any(|folder| path.starts_with(folder))
    {
        return Place::Other;
    }
    Place::Class(ClassPath { root, version, name })
}

fn split_root(path: &[u8]) -> (Root, &[u8]) {
    if let Some(rest) = path.strip_prefix(b"BOOT-INF/classes/") {
        (Root::BootInf, rest)
    } else if let Some(rest) = path.strip_prefix(b"WEB-INF/classes/") {
        (Root::WebInf, rest)
    } else {
        (Root::Top, path)
    }
}

fn is_at_top(path: &[u8], suffix: &[u8]) -> bool {
    path.ends_with(suffix) && !path.contains(&b'/')
}

/// Why a path could mean something else to another program than to us, if it could.
pub(super) fn find_trick(path: &[u8]) -> Option<&'static str> {
    if path.iter().any(|&byte| byte == 0 || byte == b'\\') {
        return Some("the path has a backslash or a NUL");
    }
    if path.starts_with(b"/") {
        return Some("the path is absolute");
    }
    if path.len() >= 2 && path[0].is_ascii_alphabetic() && path[1] == b':' {
        return Some("the path starts with a drive letter");
    }
    let folder = path.strip_suffix(b"/").unwrap_or(path);
    folder
        .split(|&byte| byte == b'/')
        .any(|part| matches!(part, b"" | b"." | b".."))
        .then_some("the path has an empty part, '.' or '..'")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(root: Root, version: u16, name: &str) -> Place<'_> {
        Place::Class(ClassPath { root, version, name: name.as_bytes() })
    }

    #[test]
    fn places_in_a_jar() {
        let place = |path: &'static str| classify(path.as_bytes(), Layout::Jar);
        assert_eq!(place("p/A.class"), class(Root::Top, 0, "p/A"));
        assert_eq!(place("module-info.class"), class(Root::Top, 0, "module-info"));
        assert_eq!(place("BOOT-INF/classes/A.class"), class(Root::BootInf, 0, "A"));
        assert_eq!(place("WEB-INF/classes/p/A.class"), class(Root::WebInf, 0, "p/A"));
        assert_eq!(place("META-INF/versions/11/p/A.class"), class(Root::Top, 11, "p/A"));
        assert_eq!(place("meta-inf/Manifest.mf"), Place::Manifest);
        assert_eq!(place("META-INF/services/p.S"), Place::Service(b"p.S"));
        assert_eq!(place("WEB-INF/classes/META-INF/services/p.S"), Place::Service(b"p.S"));
        assert_eq!(place("BOOT-INF/lib/x.jar"), Place::Library);
        assert_eq!(place("lib/x.jar"), Place::Library);
        assert_eq!(place("x.war"), Place::EarModule);
        for other in [
            "META-INF/versions/8/A.class",
            "META-INF/versions/09/A.class",
            "META-INF/versions/99999/A.class",
            "META-INF/versions/+9/A.class",
            "META-INF/versions/9/META-INF/A.class",
            "META-INF/versions/9",
            "META-INF/services/",
            "META-INF/services/a/b",
            "META-INF/x/A.class",
            "WEB-INF/A.class",
            "p/module-info.class",
            ".class",
            "p/.class",
            "p/A.txt",
            "p/x.jar",
            "",
        ] {
            assert_eq!(place(other), Place::Other, "{other}");
        }
    }

    #[test]
    fn places_in_a_jmod() {
        assert_eq!(classify(b"classes/p/A.class", Layout::Jmod), class(Root::Top, 0, "p/A"));
        assert_eq!(classify(b"p/A.class", Layout::Jmod), Place::Other);
        assert_eq!(classify(b"lib/x.jar", Layout::Jmod), Place::Other);
    }

    #[test]
    fn tricks() {
        for path in ["../A", "a/../A", "/A", "a\\A", "a\0", "C:A", "a//A", "./A", "", "a/.."] {
            assert!(find_trick(path.as_bytes()).is_some(), "{path}");
        }
        for path in ["A", "a/A.class", "a/", "a..b/...", "ab:c", "\u{e9}/x"] {
            assert_eq!(find_trick(path.as_bytes()), None, "{path}");
        }
        assert_eq!(find_trick(b"\xff\xfe/x"), None);
    }
}
