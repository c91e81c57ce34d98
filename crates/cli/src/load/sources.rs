//! Archives and loose class files as sources of classes.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use bytes::Bytes;
use classfile::archive::{Archive, EntryId};
use classfile::{ClassFile, Renaming, mutf8, rename_classes};
use program::{ClassSource, Problem, Service};

pub(super) struct ArchiveSource {
    label: String,
    archive: Archive,
    entries: Vec<EntryId>,
    /// For each module of the archive the packages that it exports to everybody, read when asked for.
    exports: Vec<OnceLock<BTreeSet<Vec<u8>>>>,
}

impl ArchiveSource {
    pub(super) fn new(label: &str, archive: Archive) -> ArchiveSource {
        ArchiveSource {
            label: label.to_owned(),
            entries: archive.classes().map(|class| class.entry).collect(),
            exports: archive.modules().iter().map(|_| OnceLock::new()).collect(),
            archive,
        }
    }

    fn read_exports(&self, module: usize) -> BTreeSet<Vec<u8>> {
        let entry = self.archive.modules()[module].entry;
        let file = self.archive.read(entry).and_then(ClassFile::parse);
        let Ok(file) = file else { return BTreeSet::new() };
        let Ok(Some(module)) = file.module() else { return BTreeSet::new() };
        let to_everybody = module.exports.iter().filter(|export| export.to.is_empty());
        to_everybody.map(|export| file.bytes(export.package).to_vec()).collect()
    }
}

impl ClassSource for ArchiveSource {
    fn label(&self) -> &str {
        &self.label
    }

    fn class_names(&self) -> Box<dyn Iterator<Item = Cow<'_, [u8]>> + '_> {
        Box::new(self.archive.classes().map(|class| modified_utf8(class.name)))
    }

    fn read(&self, index: usize) -> Result<Bytes, String> {
        self.archive.read(self.entries[index]).map_err(|error| error.to_string())
    }

    fn is_exported(&self, index: usize) -> bool {
        let class = self.archive.class(index);
        let Some(module) = class.module else { return true };
        let exports = self.exports[module].get_or_init(|| self.read_exports(module));
        let package = class.name.rsplit_once('/').map_or("", |(package, _)| package);
        exports.contains(package.as_bytes())
    }

    fn services(&self) -> Vec<Service> {
        let mut found: Vec<Service> = Vec::new();
        for service in self.archive.services() {
            if let Ok(text) = self.archive.read(service.entry) {
                found.push(Service::parse(&service.interface, &String::from_utf8_lossy(&text)));
            }
        }
        for module in self.archive.modules() {
            if let Ok(bytes) = self.archive.read(module.entry) {
                found.extend(provided(bytes));
            }
        }
        found
    }
}

/// What the descriptor of a module says that it provides.
fn provided(bytes: Bytes) -> Vec<Service> {
    let Ok(file) = ClassFile::parse(bytes) else { return Vec::new() };
    let Ok(Some(module)) = file.module() else { return Vec::new() };
    let text = |utf8| mutf8::decode_lossy(file.bytes(utf8)).to_string();
    let service = |it: &classfile::Provide| Service {
        interface: text(it.service),
        providers: it.with.iter().map(|&it| text(it)).collect(),
    };
    module.provides.iter().map(service).collect()
}

fn modified_utf8(name: &str) -> Cow<'_, [u8]> {
    // Only beyond the basic plane do the two encodings of a name differ.
    if name.chars().any(|c| c > '\u{ffff}') {
        Cow::Owned(mutf8::encode(name))
    } else {
        Cow::Borrowed(name.as_bytes())
    }
}

/// Class files on disk. What they are called inside counts, so that any part of an output directory
/// can be named on the command line; the name stands in the first bytes, so each is read once here.
pub(super) struct FileSource {
    label: String,
    files: Vec<(Vec<u8>, Bytes)>,
    services: Vec<Service>,
}

impl FileSource {
    /// With what files in `META-INF/services` and descriptors of modules say; one that cannot be read says
    /// nothing.
    pub(super) fn with_services(mut self, paths: &[PathBuf]) -> FileSource {
        for path in paths {
            let Ok(bytes) = super::map_file(path) else { continue };
            if path.extension().is_some_and(|it| it == "class") {
                self.services.extend(provided(bytes));
            } else if let Some(interface) = path.file_name().and_then(|it| it.to_str()) {
                let text = String::from_utf8_lossy(&bytes);
                self.services.push(Service::parse(interface, &text));
            }
        }
        self
    }

    pub(super) fn open(root: &Path, paths: &[PathBuf]) -> (FileSource, Vec<Problem>) {
        let mut files = Vec::with_capacity(paths.len());
        let mut problems = Vec::new();
        for path in paths {
            let bytes = super::map_file(path).map_err(|error| error.to_string());
            let named = bytes.and_then(|bytes| match ClassFile::parse(bytes.clone()) {
                Ok(file) => Ok((file.bytes(file.this_class).to_vec(), bytes)),
                Err(error) => Err(format!("{error}; skipped")),
            });
            match named {
                Ok(file) => files.push(file),
                Err(message) => {
                    problems.push(Problem { path: path.display().to_string(), message });
                }
            }
        }
        (FileSource { label: root.display().to_string(), files, services: Vec::new() }, problems)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

impl ClassSource for FileSource {
    fn label(&self) -> &str {
        &self.label
    }

    fn class_names(&self) -> Box<dyn Iterator<Item = Cow<'_, [u8]>> + '_> {
        Box::new(self.files.iter().map(|(name, _)| Cow::Borrowed(&name[..])))
    }

    fn read(&self, index: usize) -> Result<Bytes, String> {
        Ok(self.files[index].1.clone())
    }

    fn is_exported(&self, _index: usize) -> bool {
        true
    }

    fn services(&self) -> Vec<Service> {
        self.services.clone()
    }
}

/// A source some of whose classes go by other names.
pub(super) struct RenamedSource {
    source: Box<dyn ClassSource>,
    renaming: Renaming,
}

impl RenamedSource {
    pub(super) fn new(source: Box<dyn ClassSource>, renaming: Renaming) -> RenamedSource {
        RenamedSource { source, renaming }
    }
}

impl ClassSource for RenamedSource {
    fn label(&self) -> &str {
        self.source.label()
    }

    fn class_names(&self) -> Box<dyn Iterator<Item = Cow<'_, [u8]>> + '_> {
        Box::new(self.source.class_names().map(|name| match self.renaming.get(&*name) {
            Some(now) => Cow::Borrowed(&now[..]),
            None => name,
        }))
    }

    fn read(&self, index: usize) -> Result<Bytes, String> {
        let bytes = self.source.read(index)?;
        rename_classes(&bytes, &self.renaming).map_err(|error| error.to_string())
    }

    fn is_exported(&self, index: usize) -> bool {
        self.source.is_exported(index)
    }

    fn services(&self) -> Vec<Service> {
        self.source.services()
    }
}
