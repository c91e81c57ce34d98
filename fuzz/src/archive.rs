//! Lists an archive under small limits and reads all that it lists.

use bytes::Bytes;
use classfile::archive::{Archive, Options, parse_providers};

const MAX_SIZE: u64 = 1 << 20;

pub fn read_everything(bytes: &[u8]) {
    let mut options = Options::new(17);
    options.limits.max_entries = 1 << 12;
    options.limits.max_entry_size = MAX_SIZE;
    options.limits.max_nested_size = MAX_SIZE;
    options.limits.max_total_size = 4 * MAX_SIZE;
    let Ok(archive) = Archive::open(Bytes::copy_from_slice(bytes), &options) else { return };
    read_archive(&archive);
}

fn read_archive(archive: &Archive) {
    for class in archive.classes() {
        assert!(class.module.is_none_or(|module| module < archive.modules().len()));
        read_entry(archive, class.entry);
    }
    for module in archive.modules() {
        read_entry(archive, module.entry);
    }
    for service in archive.services() {
        if let Some(content) = read_entry(archive, service.entry) {
            std::hint::black_box(parse_providers(&content));
        }
    }
    std::hint::black_box((archive.main_class(), format!("{archive:?}")));
    for nested in archive.nested() {
        read_archive(&nested.archive);
    }
}

fn read_entry(archive: &Archive, entry: classfile::archive::EntryId) -> Option<Bytes> {
    let content = archive.read(entry).ok()?;
    assert!(content.len() as u64 <= MAX_SIZE, "an entry beyond the limit");
    Some(content)
}
