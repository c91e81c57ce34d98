//! All of java.base against another reader, the crate `ristretto_classfile`.
//!
//! Each side turns a class into the same plain lines (`ours`, `theirs`), from the constant pool to the
//! operands of every instruction; the lines must agree. Positions in code are numbers of
//! instructions, because that is how the other reader keeps them.

mod ours;
mod theirs;

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use classfile::ClassFile;
use classfile::archive::{Archive, EntryId, Options};
use testkit::jdk;

#[test]
fn java_base() -> Result<()> {
    let jdk = jdk::current()?;
    let image = jdk.home.join("lib/modules");
    let bytes =
        std::fs::read(&image).with_context(|| format!("cannot read {}", image.display()))?;
    let archive = Archive::open(bytes.into(), &Options::new(jdk.feature as u16))?;
    let is_base = |module: usize| archive.modules()[module].name.as_deref() == Some("java.base");
    let classes = archive.classes().filter(|class| class.module.is_some_and(is_base));
    let module_info = archive.modules().iter().enumerate().filter(|(index, _)| is_base(*index));
    let entries: Vec<EntryId> =
        classes.map(|class| class.entry).chain(module_info.map(|(_, info)| info.entry)).collect();
    ensure!(entries.len() > 6_000, "only {} classes in java.base", entries.len());
    let half = entries.len() / 2;
    let compare_all =
        |entries: &[EntryId]| entries.iter().try_for_each(|&entry| compare(archive.read(entry)?));
    std::thread::scope(|scope| {
        let first = scope.spawn(|| compare_all(&entries[..half]));
        compare_all(&entries[half..])?;
        first.join().expect("comparing does not panic")
    })
}

fn compare(bytes: Bytes) -> Result<()> {
    let file = ClassFile::parse(bytes.clone())?;
    let name = String::from_utf8_lossy(file.bytes(file.this_class)).into_owned();
    let ours = ours::lines(&file).with_context(|| name.clone())?;
    let theirs = ristretto_classfile::ClassFile::from_bytes(&bytes)
        .and_then(|file| theirs::lines(&file))
        .with_context(|| format!("the other reader on {name}"))?;
    for (number, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
        assert_eq!(ours, theirs, "line {number} of {name}");
    }
    assert_eq!(ours.len(), theirs.len(), "{name}");
    Ok(())
}
