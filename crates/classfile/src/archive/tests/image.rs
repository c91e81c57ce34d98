//! JDK images, honest and hostile.

use super::make_image::{Image, zlib};
use super::{contents, exercise_damage, message, names, open, problems};
use crate::archive::{Archive, Options};
use bytes::Bytes;

fn small(big_endian: bool) -> Image {
    let mut image = Image::new(big_endian);
    image.add("m.b", "p/q", "Zebra", b"zebra");
    image.add("m.b", "", "module-info", b"module b");
    image.add("m.a", "p", "AbstractTwo", b"two");
    image.add("m.a", "p", "AbstractOne", b"one");
    image.add("m.a", "", "module-info", b"module a");
    image.add("m.a", "", "Top", b"top");
    image.add("modules", "", "m.a/p", b"index");
    image.add("packages", "", "p", b"index");
    image.add("m.b", "p", "A", b"a");
    let text = [image.string("m.a"), image.string("p"), image.string("x"), image.string("txt")];
    image.add_location(&[(1, text[0]), (2, text[1]), (3, text[2]), (4, text[3]), (7, 3)]);
    image
}

#[test]
fn classes_by_module_package_and_name() {
    for big_endian in [false, true] {
        let archive = open(small(big_endian).finish());
        let listed = contents(&archive);
        let listed: Vec<_> = listed.iter().map(|(n, c)| (n.as_str(), c.as_str())).collect();
        let expected = [
            ("Top", "top"),
            ("p/AbstractOne", "one"),
            ("p/AbstractTwo", "two"),
            ("p/A", "a"),
            ("p/q/Zebra", "zebra"),
        ];
        assert_eq!(listed, expected);
        let modules: Vec<_> = archive.modules().iter().map(|m| m.name.as_deref()).collect();
        assert_eq!(modules, [Some("m.a"), Some("m.b")]);
        assert_eq!(archive.read(archive.modules()[1].entry).unwrap(), "module b");
        let of: Vec<_> = archive.classes().map(|class| class.module).collect();
        assert_eq!(of, [Some(0), Some(0), Some(0), Some(1), Some(1)]);
        assert!(archive.problems().is_empty() && archive.services().is_empty());
    }
}

#[test]
fn a_resource_is_a_slice_of_the_input() {
    let bytes = Bytes::from(small(false).finish());
    let archive = Archive::open(bytes.clone(), &Options::new(17)).unwrap();
    let content = archive.read(archive.classes().next().unwrap().entry).unwrap();
    assert!(bytes.as_ptr_range().contains(&content.as_ptr()));
}

fn compressed(big_endian: bool) -> Image {
    let mut image = Image::new(big_endian);
    let plain = b"plain ".repeat(50);
    let once = zlib(&plain);
    let once = image.compress("zip", &once, plain.len());
    image.add_stored("m", "p", "Once", &once, once.len(), plain.len());
    let twice = zlib(&once);
    let twice = image.compress("zip", &twice, once.len());
    image.add_stored("m", "p", "Twice", &twice, twice.len(), plain.len());
    image
}

#[test]
fn compressed_resources() {
    for big_endian in [false, true] {
        let archive = open(compressed(big_endian).finish());
        let plain = "plain ".repeat(50);
        let expected = [("p/Once".to_string(), plain.clone()), ("p/Twice".to_string(), plain)];
        assert_eq!(contents(&archive), expected);
        assert_eq!(archive.classes().next().unwrap().module, None);
    }
}

/// What reading the only class of an image says.
fn read_error(image: &Image) -> String {
    let archive = open(image.finish());
    message(archive.read(archive.classes().next().expect("a class").entry))
}

#[test]
fn compression_that_lies_or_is_unknown() {
    let lie = |name: &str, stream: &[u8], claim: usize, size: usize| {
        let mut image = Image::new(false);
        let stored = image.compress(name, stream, claim);
        image.add_stored("m", "p", "A", &stored, stored.len(), size);
        read_error(&image)
    };
    let stream = zlib(b"content");
    assert!(lie("compact-cp", &stream, 7, 7).contains("compact-cp"));
    assert!(lie("rar", &stream, 7, 7).starts_with("unknown compression"));
    assert!(lie("zip", &stream, 8, 8).contains("shorter than declared"));
    assert!(lie("zip", &stream, 6, 6).contains("longer than declared"));
    assert!(lie("zip", &stream, 1 << 25, 1 << 25).contains("more than the stream can hold"));
    assert!(lie("zip", &stream, 1 << 40, 7).starts_with("the entry is too large"));
    assert!(lie("zip", &stream, 7, 9).starts_with("the resource has another size"));
    assert!(lie("zip", b"no stream", 7, 7).contains("damaged"));
}

#[test]
fn resources_outside_of_the_file_or_too_large() {
    let make = |offset: u64, compressed: u64, size: u64| {
        let mut image = Image::new(false);
        let names = ["m", "p", "A", "class"].map(|name| image.string(name));
        let strings = (1..).zip(names);
        let rest = [(5, offset), (6, compressed), (7, size)];
        image.add_location(&strings.chain(rest).collect::<Vec<_>>());
        image
    };
    let lie = |offset, compressed, size| read_error(&make(offset, compressed, size));
    assert!(lie(0, 0, 1).starts_with("the bytes end too early"));
    assert!(lie(u64::MAX, 0, 1).starts_with("the bytes end too early"));
    assert!(lie(u64::MAX - 50, 0, 60).starts_with("the bytes end too early"));
    assert!(lie(1, u64::MAX, 1).starts_with("the bytes end too early"));
    let archive = open(make(0, 0, 1 << 30).finish());
    assert_eq!(problems(&archive), ["/m/p/A.class: the entry is too large"]);
}

#[test]
fn names_outside_of_the_strings_or_with_tricks() {
    let mut image = Image::new(false);
    image.add("m", "p", "Good", b"");
    image.add("m", "..", "A", b"");
    image.add("m", "p", "x/A", b"");
    image.add("m", "p", "..", b"");
    image.add("m", "p/", "A", b"");
    image.add("../m", "p", "A", b"");
    image.add("", "p", "A", b"");
    let [module, bad, class] = [image.string("m"), image.string(b"\xff"), image.string("class")];
    image.add_location(&[(1, module), (3, bad), (4, class)]);
    image.add_location(&[(1, module), (2, bad), (3, module), (4, class)]);
    image.add_location(&[(1, module), (3, 1 << 20), (4, class)]);
    image.add_location(&[(1, 1 << 40), (3, module), (4, class)]);
    image.add_location(&[(4, u64::MAX)]);
    let archive = open(image.finish());
    assert_eq!(names(&archive), ["p/Good"]);
    assert_eq!(archive.problems().len(), 10, "{:?}", problems(&archive));
}

#[test]
fn a_path_twice_is_a_problem() {
    let mut image = Image::new(false);
    image.add("m", "p", "A", b"first");
    image.add("m", "p", "A", b"second");
    let archive = open(image.finish());
    assert_eq!(contents(&archive), [("p/A".to_string(), "first".to_string())]);
    let rule = "several locations have this path; the first one is used";
    assert_eq!(problems(&archive), [format!("/m/p/A.class: {rule}")]);
}

#[test]
fn headers_that_lie() {
    let error = |index: usize, value: u32| {
        let mut bytes = small(false).finish();
        bytes[4 * index..4 * index + 4].copy_from_slice(&value.to_le_bytes());
        message(Archive::open(Bytes::from(bytes), &Options::new(17)))
    };
    assert!(error(1, 2 << 16).starts_with("unknown version 2"));
    assert!(error(4, u32::MAX).starts_with("too many entries"));
    assert!(error(4, 1 << 20).starts_with("the bytes end too early"));
    assert!(error(5, u32::MAX).starts_with("the bytes end too early"));
    assert!(error(6, u32::MAX).starts_with("the bytes end too early"));
}

#[test]
fn streams_of_attributes_without_end() {
    let mut image = Image::new(false);
    image.add("m", "p", "A", b"a");
    image.add_location(&[(9, 1); 100]);
    image.add_location(&[(9, 1); 3]);
    let archive = open(image.finish());
    assert_eq!(names(&archive), ["p/A"]);
    assert_eq!(problems(&archive), [": too many attributes"]);
}

/// Few bytes that spell a great many long names.
#[test]
fn names_that_share_their_bytes() {
    let mut image = Image::new(false);
    let [module, class] = [image.string("m"), image.string("class")];
    let long = image.string("a".repeat(8000));
    for start in 0..10_000 {
        image.add_location(&[(1, module), (3, long + start % 100), (4, class)]);
    }
    let error = message(Archive::open(Bytes::from(image.finish()), &Options::new(17)));
    assert!(error.starts_with("too many bytes of class names"), "{error}");
}

#[test]
fn damaged_images_never_panic() {
    exercise_damage(&small(false).finish(), 10_000);
    exercise_damage(&small(true).finish(), 2_000);
    exercise_damage(&compressed(false).finish(), 10_000);
}
