//! Archives made by hand, honest and hostile.

mod hostile;
mod image;
mod jar;
mod make_image;
mod make_zip;

use super::{Archive, Options};
use bytes::Bytes;
use make_zip::{Item, zip};

fn open(bytes: Vec<u8>) -> Archive {
    Archive::open(Bytes::from(bytes), &Options::new(17)).expect("an archive")
}

/// Every class with its content, which must be readable.
fn contents(archive: &Archive) -> Vec<(String, String)> {
    archive
        .classes()
        .map(|class| {
            let content = archive.read(class.entry).expect("a readable entry");
            (class.name.to_string(), String::from_utf8_lossy(&content).into_owned())
        })
        .collect()
}

fn names(archive: &Archive) -> Vec<&str> {
    archive.classes().map(|class| class.name).collect()
}

/// The problems as `path: message`, without the position.
fn problems(archive: &Archive) -> Vec<String> {
    let text = |problem: &super::Problem| format!("{}: {}", problem.path, problem.error);
    let short = |text: String| text.split(" in ").next().unwrap_or_default().to_string();
    archive.problems().iter().map(text).map(short).collect()
}

fn message<T: std::fmt::Debug>(result: crate::Result<T>) -> String {
    result.expect_err("an error").to_string()
}

/// Opens the bytes and reads whatever they list: the point is that nothing panics.
fn exercise(bytes: Bytes) {
    let mut options = Options::new(17);
    options.limits.max_entry_size = 1 << 20;
    options.limits.max_nested_size = 1 << 20;
    options.limits.max_total_size = 4 << 20;
    let Ok(archive) = Archive::open(bytes, &options) else { return };
    exercise_archive(&archive);
}

fn exercise_archive(archive: &Archive) {
    let classes = archive.classes().map(|class| class.entry);
    let modules = archive.modules().iter().map(|module| module.entry);
    let services = archive.services().iter().map(|service| service.entry);
    for entry in classes.chain(modules).chain(services) {
        if let Ok(content) = archive.read(entry) {
            assert!(content.len() <= 1 << 20);
        }
    }
    for nested in archive.nested() {
        exercise_archive(&nested.archive);
    }
    let _ = format!("{archive:?}");
}

/// Every truncation, and many copies with one to eight changed bytes.
fn exercise_damage(bytes: &[u8], mutations: u64) {
    for length in 0..bytes.len() {
        exercise(Bytes::copy_from_slice(&bytes[..length]));
    }
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..mutations {
        let mut damaged = bytes.to_vec();
        for _ in 0..=random.below(8) {
            let index = random.below(damaged.len());
            damaged[index] = match random.below(4) {
                0 => 0,
                1 => 0xff,
                2 => damaged[index] ^ 1 << random.below(8),
                _ => random.below(256) as u8,
            };
        }
        exercise(Bytes::from(damaged));
    }
}

/// Xorshift, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

fn classes(paths: &[&str]) -> Vec<u8> {
    zip(&paths.iter().map(|path| Item::new(path, path)).collect::<Vec<_>>())
}
