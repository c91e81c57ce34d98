//! Systems without Landlock: the child is confined by its limits alone.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};

pub(crate) fn spawn(
    command: &mut Command,
    _java: &Path,
    _directory: &Path,
    _class_path: &[PathBuf],
    _port: Option<u16>,
) -> std::io::Result<Child> {
    command.spawn()
}
