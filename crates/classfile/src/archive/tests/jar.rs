//! Honest jars, wars, ears and jmods.

use super::make_zip::{DATA_DESCRIPTOR, Item, Writer, zip, zip64};
use super::{classes, contents, message, names, open, problems};
use crate::archive::{Archive, EntryId, Options, parse_providers};
use bytes::Bytes;

const MULTI_RELEASE: &str = "Manifest-Version: 1.0\r\nMulti-Release: TRUE\r\n\r\n";

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(name, content)| (name.to_string(), content.to_string())).collect()
}

fn multi_release(manifest: &str) -> Vec<u8> {
    zip(&[
        Item::new("p/A.class", "A"),
        Item::new("META-INF/versions/11/p/A.class", "A11"),
        Item::new("META-INF/versions/9/p/A.class", "A9"),
        Item::new("META-INF/versions/21/p/A.class", "A21"),
        Item::new("META-INF/versions/17/p/New.class", "New17"),
        Item::new("META-INF/versions/9/META-INF/X.class", "no class"),
        Item::new("META-INF/versions/9/module-info.class", "module9"),
        Item::new("p/B.class", "B"),
        Item::deflated("META-INF/MANIFEST.MF", manifest),
    ])
}

#[test]
fn stored_and_deflated_entries_in_archive_order() {
    let long = "x".repeat(100_000);
    let archive = open(zip(&[
        Item::new("p/", ""),
        Item::new("p/B.class", "B"),
        Item::deflated("A.class", &long),
        Item::new("p/readme.txt", "not a class"),
        Item::deflated("p/Empty.class", ""),
    ]));
    assert_eq!(contents(&archive), pairs(&[("p/B", "B"), ("A", &long), ("p/Empty", "")]));
    assert!(archive.problems().is_empty());
    assert_eq!(
        (archive.main_class(), archive.modules(), archive.services()),
        (None, &[][..], &[][..])
    );
}

#[test]
fn a_stored_entry_is_a_slice_of_the_input() {
    let bytes = Bytes::from(zip(&[Item::new("A.class", "stored content")]));
    let archive = Archive::open(bytes.clone(), &Options::new(17)).unwrap();
    let content = archive.read(archive.classes().next().unwrap().entry).unwrap();
    assert!(bytes.as_ptr_range().contains(&content.as_ptr()));
}

#[test]
fn data_descriptors_zip64_and_local_extra_fields() {
    let items = [
        Item { flags: DATA_DESCRIPTOR, ..Item::deflated("A.class", "aaaaaaaaaaaaaaaaaaaa") },
        Item { zip64: true, ..Item::new("B.class", "b") },
        Item { local_extra: 9, ..Item::new("C.class", "c") },
    ];
    for bytes in [zip(&items), zip64(&items)] {
        let archive = open(bytes);
        let expected = [("A", "aaaaaaaaaaaaaaaaaaaa"), ("B", "b"), ("C", "c")];
        assert_eq!(contents(&archive), pairs(&expected));
        assert!(archive.problems().is_empty());
    }
}

#[test]
fn bytes_before_the_archive_and_a_comment_after_it() {
    let items = [Item::new("A.class", "a"), Item::deflated("B.class", "b")];
    for is_zip64 in [false, true] {
        let mut writer = Writer::default();
        items.iter().for_each(|item| writer.add(item));
        let archive = writer.finish(b"a comment", is_zip64);
        let script = [b"#!/bin/sh\nexec java -jar $0\n".to_vec(), archive].concat();
        let archive = open(script);
        assert_eq!(contents(&archive), pairs(&[("A", "a"), ("B", "b")]));
        assert!(archive.problems().is_empty(), "{archive:?}");
    }
}

#[test]
fn an_archive_without_entries() {
    assert!(names(&open(zip(&[]))).is_empty());
}

#[test]
fn multi_release_takes_the_highest_version_up_to_the_release() {
    let listed = |release| {
        let options = Options::new(release);
        Archive::open(Bytes::from(multi_release(MULTI_RELEASE)), &options).unwrap()
    };
    assert_eq!(contents(&listed(8)), pairs(&[("p/A", "A"), ("p/B", "B")]));
    assert!(listed(8).modules().is_empty());
    assert_eq!(contents(&listed(10)), pairs(&[("p/A", "A9"), ("p/B", "B")]));
    assert_eq!(listed(10).modules().len(), 1);
    let expected = [("p/A", "A11"), ("p/New", "New17"), ("p/B", "B")];
    assert_eq!(contents(&listed(17)), pairs(&expected));
    let expected = [("p/A", "A21"), ("p/New", "New17"), ("p/B", "B")];
    assert_eq!(contents(&listed(25)), pairs(&expected));
    assert!(listed(17).problems().is_empty());
}

#[test]
fn versions_do_not_count_without_the_manifest_saying_so() {
    for manifest in ["Multi-Release: false\n", "A: b\n\nMulti-Release: true\n", ""] {
        let archive = open(multi_release(manifest));
        assert_eq!(contents(&archive), pairs(&[("p/A", "A"), ("p/B", "B")]), "{manifest}");
    }
}

#[test]
fn main_class_modules_and_services() {
    let archive = open(zip(&[
        Item::new("META-INF/MANIFEST.MF", "Main-Class: p.q.Main\n"),
        Item::new("module-info.class", "module"),
        Item::new("META-INF/services/p.Service$Nested", "p.Impl # first\np.Other\n"),
        Item::new("p/package-info.class", "package"),
    ]));
    assert_eq!(archive.main_class(), Some("p/q/Main"));
    assert_eq!(names(&archive), ["p/package-info"]);
    assert_eq!(archive.classes().next().unwrap().module, None);
    let [module] = archive.modules() else { panic!("one module") };
    assert_eq!(archive.read(module.entry).unwrap(), "module");
    let [service] = archive.services() else { panic!("one service") };
    assert_eq!(service.interface, "p/Service$Nested");
    assert_eq!(parse_providers(&archive.read(service.entry).unwrap()), ["p/Impl", "p/Other"]);
}

#[test]
fn a_fat_jar() {
    let inner = zip(&[Item::deflated("q/Inner.class", "inner")]);
    let multi = multi_release(MULTI_RELEASE);
    let archive = open(zip(&[
        Item::new("org/Loader.class", "loader"),
        Item::new("BOOT-INF/classes/p/A.class", "a"),
        Item::new("BOOT-INF/lib/stored.jar", &inner),
        Item::deflated("BOOT-INF/lib/deflated.jar", &multi),
        Item::new("BOOT-INF/lib/broken.jar", "no zip"),
        Item::new("other/resource.jar", &inner),
        Item::new("top.jar", &inner),
    ]));
    assert_eq!(contents(&archive), pairs(&[("org/Loader", "loader"), ("p/A", "a")]));
    let [stored, deflated] = archive.nested() else { panic!("two nested jars") };
    assert_eq!(stored.path, "BOOT-INF/lib/stored.jar");
    assert_eq!(contents(&stored.archive), pairs(&[("q/Inner", "inner")]));
    assert_eq!(names(&deflated.archive), ["p/A", "p/New", "p/B"]);
    assert_eq!(problems(&archive), ["BOOT-INF/lib/broken.jar: wrong magic number"]);
}

#[test]
fn a_war_in_an_ear() {
    let jar = zip(&[Item::new("J.class", "j")]);
    let war = zip(&[
        Item::new("WEB-INF/classes/W.class", "w"),
        Item::deflated("WEB-INF/lib/j.jar", &jar),
        Item::new("WEB-INF/classes/META-INF/services/S", "W"),
    ]);
    let ear = open(zip(&[
        Item::deflated("web.war", &war),
        Item::new("ejb.jar", &jar),
        Item::new("lib/j.jar", &jar),
    ]));
    let nested: Vec<&str> = ear.nested().iter().map(|nested| nested.path.as_str()).collect();
    assert_eq!(nested, ["web.war", "ejb.jar", "lib/j.jar"]);
    let war = &ear.nested()[0].archive;
    assert_eq!(names(war), ["W"]);
    assert_eq!(war.services()[0].interface, "S");
    assert_eq!(names(&war.nested()[0].archive), ["J"]);
}

#[test]
fn a_jmod() {
    let zip = zip(&[
        Item::deflated("classes/module-info.class", "module"),
        Item::deflated("classes/p/A.class", "a"),
        Item::new("bin/tool.class", "not a class"),
        Item::new("lib/x.jar", "not on a class path"),
    ]);
    let archive = open([b"JM\x01\x00".to_vec(), zip].concat());
    assert_eq!(contents(&archive), pairs(&[("p/A", "a")]));
    assert_eq!(archive.classes().next().unwrap().module, Some(0));
    assert_eq!(archive.modules().len(), 1);
    assert!(archive.nested().is_empty() && archive.problems().is_empty());
}

#[test]
fn reads_from_many_threads() {
    let items: Vec<Item> = (0..200)
        .map(|i| Item::deflated(format!("A{i}.class"), format!("content of {i}").repeat(i + 1)))
        .collect();
    let archive = open(zip(&items));
    let expected = contents(&archive);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(contents(&archive), expected));
        }
    });
}

#[test]
fn an_entry_that_the_archive_does_not_have() {
    let archive = open(classes(&["A.class"]));
    assert!(message(archive.read(EntryId(7))).starts_with("bad index 7"));
}
