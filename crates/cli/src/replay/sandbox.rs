//! Confining the child with Landlock, where the kernel has it.
//!
//! The rights of a thread pass on to what it starts. A thread of its own gives up all rights that the
//! child does not need, starts it, and ends: this process keeps its own.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, NetPort, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
};

/// Starts the command with no right but to read, to write below `directory`, and to use the port of this
/// machine if one is given.
pub(crate) fn spawn(
    command: &mut Command,
    java: &Path,
    directory: &Path,
    class_path: &[PathBuf],
    port: Option<u16>,
) -> std::io::Result<Child> {
    std::thread::scope(|scope| {
        let confined = scope.spawn(|| {
            // On kernels without Landlock this does nothing; limits and environment still hold.
            let _ = confine(java, directory, class_path, port);
            command.spawn()
        });
        confined.join().unwrap_or_else(|_| Err(std::io::Error::other("the thread failed")))
    })
}

fn confine(
    java: &Path,
    directory: &Path,
    class_path: &[PathBuf],
    port: Option<u16>,
) -> Result<(), RulesetError> {
    let abi = ABI::V4;
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(abi))?
        .handle_access(AccessNet::from_all(abi))?;
    let mut ruleset = ruleset.create()?;
    let read = AccessFs::from_read(abi);
    let system = ["/usr", "/lib", "/lib64", "/etc", "/proc", "/sys", "/dev", "/opt", "/bin"];
    let home = java.canonicalize().ok();
    let home = home.as_deref().and_then(Path::parent).and_then(Path::parent);
    let read_only =
        system.iter().map(Path::new).chain(home).chain(class_path.iter().map(PathBuf::as_path));
    for path in read_only {
        if let Ok(fd) = PathFd::new(path) {
            let rights = if path.is_dir() { read } else { read & AccessFs::from_file(abi) };
            ruleset = ruleset.add_rule(PathBeneath::new(fd, rights))?;
        }
    }
    let all = AccessFs::from_all(abi);
    for (path, rights) in
        [(directory, all), (Path::new("/dev/null"), all & AccessFs::from_file(abi))]
    {
        if let Ok(fd) = PathFd::new(path) {
            ruleset = ruleset.add_rule(PathBeneath::new(fd, rights))?;
        }
    }
    if let Some(port) = port {
        ruleset = ruleset.add_rule(NetPort::new(port, AccessNet::from_all(abi)))?;
    }
    ruleset.restrict_self()?;
    Ok(())
}
