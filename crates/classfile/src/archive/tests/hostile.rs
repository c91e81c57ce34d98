//! Zips that lie, break off or try to exhaust the machine.

use super::make_zip::{DATA_DESCRIPTOR, Item, Writer, zip};
use super::{classes, contents, exercise_damage, message, names, open, problems};
use crate::archive::{Archive, Options};
use bytes::Bytes;

/// What reading the only class says.
fn read_error(item: Item) -> String {
    let archive = open(zip(&[item]));
    let class = archive.classes().next().expect("a listed class");
    message(archive.read(class.entry))
}

/// The problems of an archive that lists no class.
fn refusal(item: Item) -> Vec<String> {
    let archive = open(zip(&[item]));
    assert!(names(&archive).is_empty());
    problems(&archive)
}

#[test]
fn content_that_does_not_fit_its_entry() {
    let error = read_error(Item { crc: Some(1), ..Item::deflated("A.class", "aaaaaaaaaa") });
    assert!(error.starts_with("wrong checksum"), "{error}");
    let error = read_error(Item { crc: Some(1), ..Item::new("A.class", "a") });
    assert!(error.starts_with("wrong checksum"), "{error}");
    let error = read_error(Item { size: Some(9), ..Item::deflated("A.class", "aaaaaaaaaa") });
    assert!(error.contains("longer than declared"), "{error}");
    let error = read_error(Item { size: Some(11), ..Item::deflated("A.class", "aaaaaaaaaa") });
    assert!(error.contains("shorter than declared"), "{error}");
    let error = read_error(Item { size: Some(2), ..Item::new("A.class", "a") });
    assert!(error.contains("sizes of a stored entry differ"), "{error}");
}

#[test]
fn other_methods_and_encryption() {
    let error = read_error(Item { method: 12, ..Item::new("A.class", "a") });
    assert!(error.starts_with("unknown compression method"), "{error}");
    let error = read_error(Item { flags: 1, ..Item::new("A.class", "a") });
    assert!(error.starts_with("the entry is encrypted"), "{error}");
}

#[test]
fn sizes_that_cannot_be_true_or_are_too_large() {
    let item = Item::deflated("A.class", "a");
    let rule = "A.class: the size is more than the stream can hold";
    assert_eq!(refusal(Item { size: Some(40_000_000), ..item.clone() }), [rule]);
    let rule = "A.class: the entry is too large";
    assert_eq!(refusal(Item { size: Some(1 << 31), ..item.clone() }), [rule]);
    assert_eq!(refusal(Item { size: Some(u64::MAX), zip64: true, ..item.clone() }), [rule]);
    let rule = "A.class: the entry overlaps another one or the directory";
    let too_long = Item { compressed_size: Some(u64::MAX), zip64: true, ..item };
    assert_eq!(refusal(too_long), [rule]);
}

#[test]
fn the_limit_on_all_sizes_counts_nested_archives() {
    let inner = zip(&[Item::deflated("I.class", "i".repeat(600))]);
    let bytes = Bytes::from(zip(&[
        Item::deflated("A.class", "a".repeat(600)),
        Item::new("lib/x.jar", &inner),
        Item::new("lib/y.jar", &inner),
    ]));
    let mut options = Options::new(17);
    options.limits.max_total_size = 1200 + 2 * inner.len() as u64;
    let archive = Archive::open(bytes.clone(), &options).unwrap();
    assert_eq!(names(&archive.nested()[0].archive), ["I"]);
    let second = &archive.nested()[1].archive;
    assert_eq!(problems(second), ["I.class: too many uncompressed bytes"]);

    options.limits.max_nested_size = inner.len() as u64 - 1;
    let archive = Archive::open(bytes.clone(), &options).unwrap();
    assert!(archive.nested().is_empty());
    assert_eq!(problems(&archive)[0], "lib/x.jar: the entry is too large");

    options.limits.max_entries = 2;
    let error = message(Archive::open(bytes, &options));
    assert!(error.starts_with("too many entries"), "{error}");
}

#[test]
fn archives_nested_without_end() {
    let mut bytes = classes(&["A.class"]);
    for _ in 0..10 {
        bytes = zip(&[Item::new("lib/x.jar", bytes)]);
    }
    let mut archive = &open(bytes);
    let mut depth = 0;
    while let [nested] = archive.nested() {
        archive = &nested.archive;
        depth += 1;
    }
    assert_eq!(depth, 4);
    assert_eq!(problems(archive), ["lib/x.jar: archives are nested too deep"]);
}

#[test]
fn entries_that_share_bytes_are_refused() {
    let archive = open(zip(&[
        Item::new("A.class", "a"),
        Item::new("B.class", "b".repeat(100)),
        Item { offset: Some(0), ..Item::new("C.class", "c") },
        Item::new("D.class", "d"),
    ]));
    assert_eq!(names(&archive), ["B", "D"]);
    let rule = "the entry overlaps another one or the directory";
    assert_eq!(problems(&archive), [format!("A.class: {rule}"), format!("C.class: {rule}")]);
}

/// One entry whose data spans the header of the next: the published way to build a zip bomb.
#[test]
fn an_entry_that_quotes_the_next_is_refused() {
    let archive = open(zip(&[
        Item { compressed_size: Some(38), size: Some(38), ..Item::new("A.class", "") },
        Item::new("B.class", "b"),
        Item::new("C.class", "c"),
    ]));
    assert_eq!(names(&archive), ["C"]);
    assert_eq!(archive.problems().len(), 2);
}

/// The directory does not tell the length of a local header, so this is seen only when reading.
#[test]
fn a_local_header_that_reaches_into_the_next_entry() {
    let mut bytes = zip(&[
        Item { local_extra: 10, ..Item::new("A.class", "a") },
        Item { local_extra: 20, ..Item::new("B.class", "b") },
    ]);
    bytes[28] = 50;
    let archive = open(bytes);
    let classes: Vec<_> = archive.classes().collect();
    assert!(message(archive.read(classes[0].entry)).starts_with("the entry overlaps"));
    assert_eq!(archive.read(classes[1].entry).unwrap(), "b");
}

#[test]
fn path_tricks_are_left_out() {
    let paths = ["../A.class", "/B.class", "p\\C.class", "C:D.class", "p//E.class", "F\0.class"];
    let archive = open(classes(&[&paths[..], &["ok/A.class"]].concat()));
    assert_eq!(names(&archive), ["ok/A"]);
    let listed: Vec<&str> = archive.problems().iter().map(|p| p.path.as_str()).collect();
    assert_eq!(listed, paths);
}

#[test]
fn of_equal_paths_the_last_wins_as_in_the_jvm() {
    let archive = open(zip(&[
        Item::new("A.class", "first"),
        Item::new("B.class", "b"),
        Item::new("A.class", "last"),
        Item::new("readme", ""),
        Item::new("readme", ""),
    ]));
    let expected = [("B".to_string(), "b".to_string()), ("A".to_string(), "last".to_string())];
    assert_eq!(contents(&archive), expected);
    assert_eq!(
        problems(&archive),
        ["A.class: several entries have this path; the last one is used"]
    );
}

#[test]
fn one_class_under_two_roots() {
    let archive =
        open(zip(&[Item::new("BOOT-INF/classes/A.class", "boot"), Item::new("A.class", "top")]));
    assert_eq!(contents(&archive), [("A".to_string(), "boot".to_string())]);
    assert_eq!(
        problems(&archive),
        ["A.class: the class is also under another root, which is used"]
    );
}

#[test]
fn names_that_are_not_utf8() {
    let archive = open(zip(&[
        Item::new(b"p/\xff.class", "a"),
        Item::new(b"\xfe\xff/readme", ""),
        Item::new(b"META-INF/services/\xff", "p.A"),
        Item::new("p/\u{e9}\u{1f600}.class", "b"),
    ]));
    assert_eq!(names(&archive), ["p/\u{e9}\u{1f600}"]);
    assert_eq!(problems(&archive), ["p/\u{fffd}.class: the path is not UTF-8"]);
    assert_eq!(archive.services()[0].interface, "\u{fffd}");
}

#[test]
fn an_unreadable_manifest_is_a_problem_and_no_more() {
    let manifest = Item { crc: Some(0), ..Item::new("META-INF/MANIFEST.MF", "Main-Class: A\n") };
    let archive = open(zip(&[manifest, Item::new("A.class", "a")]));
    assert_eq!((names(&archive), archive.main_class()), (vec!["A"], None));
    assert_eq!(problems(&archive), ["META-INF/MANIFEST.MF: wrong checksum"]);
}

#[test]
fn problems_are_counted_out() {
    let paths: Vec<String> = (0..1000).map(|i| format!("../{i}")).collect();
    let archive = open(classes(&paths.iter().map(String::as_str).collect::<Vec<_>>()));
    assert_eq!(archive.problems().len(), 101);
    assert_eq!(problems(&archive)[100], ": more problems than are listed");
}

#[test]
fn a_directory_that_breaks_off() {
    let mut bytes = classes(&["A.class", "B.class"]);
    let second = bytes.windows(4).rposition(|window| window == b"PK\x01\x02").unwrap();
    bytes[second] = b'X';
    let archive = open(bytes);
    assert_eq!(names(&archive), ["A"]);
    assert_eq!(problems(&archive), [": wrong magic number"]);

    let mut bytes = classes(&["A.class", "B.class"]);
    let end = bytes.len() - 22;
    bytes[end + 10] = 3;
    assert_eq!(problems(&open(bytes)), [": the number of entries differs from the declared one"]);
}

#[test]
fn what_is_no_archive() {
    let error =
        |bytes: &[u8]| message(Archive::open(Bytes::copy_from_slice(bytes), &Options::new(17)));
    assert!(error(b"").starts_with("wrong magic number"));
    assert!(error(b"\xca\xfe\xba\xbe\0\0\0\x3d").starts_with("wrong magic number"));
    let truncated = &classes(&["A.class"])[..60];
    assert!(error(truncated).starts_with("the end of the central directory is missing"));
    assert!(error(b"JM\x01\x00").starts_with("wrong magic number"));
}

fn small_jar() -> Vec<u8> {
    let mut writer = Writer::default();
    writer.add(&Item::deflated("META-INF/MANIFEST.MF", "Multi-Release: true\nMain-Class: A\n"));
    writer.add(&Item::new("A.class", "a"));
    writer.add(&Item { flags: DATA_DESCRIPTOR, ..Item::deflated("p/B.class", "b".repeat(300)) });
    writer.add(&Item { zip64: true, ..Item::new("META-INF/versions/9/A.class", "a9") });
    writer.add(&Item::new("META-INF/services/S", "A\n"));
    writer.add(&Item::new("lib/x.jar", classes(&["I.class"])));
    writer.finish(b"comment", true)
}

#[test]
fn damaged_zips_never_panic() {
    assert!(open(small_jar()).problems().is_empty());
    exercise_damage(&small_jar(), 20_000);
    exercise_damage(&classes(&["A.class", "p/B.class"]), 5_000);
}
