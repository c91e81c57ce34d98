//! Finding a JDK and its class archives, without running it.

use std::path::{Path, PathBuf};

/// An installed JDK or JRE.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JdkHome {
    pub home: PathBuf,
    /// The feature release: 8, 17, 25.
    pub release: u16,
    /// As the JDK's `release` file gives it: `17.0.15`.
    pub version: String,
    /// What holds its classes: the `modules` image, or `rt.jar` and its companions.
    pub archives: Vec<PathBuf>,
}

impl JdkHome {
    /// Assumed where nothing says otherwise.
    pub const DEFAULT_RELEASE: u16 = 17;

    /// `None` if there is no JDK here.
    pub fn at(home: &Path) -> Option<JdkHome> {
        let archives = archives(home)?;
        let is_old = archives.iter().any(|path| path.ends_with("rt.jar"));
        let fallback = if is_old { "8".to_owned() } else { JdkHome::DEFAULT_RELEASE.to_string() };
        let version = version(home).unwrap_or(fallback);
        let release = feature_release(&version).unwrap_or(JdkHome::DEFAULT_RELEASE);
        Some(JdkHome { home: home.to_owned(), release, version, archives })
    }

    /// The JDK of the `java` that a shell would start, else of `JAVA_HOME`.
    pub fn of_java_command() -> Option<JdkHome> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let commands = std::env::split_paths(&path).map(|directory| directory.join("java"));
        let from_path = commands.filter_map(|command| {
            let real = command.canonicalize().ok()?;
            JdkHome::at(real.parent()?.parent()?)
        });
        let from_environment = || JdkHome::at(Path::new(&std::env::var_os("JAVA_HOME")?));
        from_path.into_iter().next().or_else(from_environment)
    }
}

fn archives(home: &Path) -> Option<Vec<PathBuf>> {
    let image = home.join("lib/modules");
    if image.is_file() {
        return Some(vec![image]);
    }
    for lib in ["jre/lib", "lib"] {
        let lib = home.join(lib);
        if lib.join("rt.jar").is_file() {
            let names = ["rt.jar", "jsse.jar", "jce.jar", "charsets.jar", "resources.jar"];
            return Some(
                names.iter().map(|name| lib.join(name)).filter(|jar| jar.is_file()).collect(),
            );
        }
    }
    None
}

fn version(home: &Path) -> Option<String> {
    let release = std::fs::read_to_string(home.join("release")).ok()?;
    let value = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
    Some(value.trim().trim_matches('"').to_owned())
}

/// `1.8.0_312` is 8, `17.0.15` is 17.
fn feature_release(version: &str) -> Option<u16> {
    let version = version.strip_prefix("1.").unwrap_or(version);
    let end = version.find(|c: char| !c.is_ascii_digit()).unwrap_or(version.len());
    version[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_feature_releases() {
        assert_eq!(feature_release("1.8.0_312"), Some(8));
        assert_eq!(feature_release("17.0.15"), Some(17));
        assert_eq!(feature_release("25"), Some(25));
        assert_eq!(feature_release("x"), None);
    }

    #[test]
    fn a_plain_directory_is_no_jdk() {
        assert_eq!(JdkHome::at(Path::new(env!("CARGO_MANIFEST_DIR"))), None);
    }
}
