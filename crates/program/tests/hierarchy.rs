//! Who is a subtype of whom: against the JVM's own answer for a part of the JDK, and downwards.

mod sources;

use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use program::{ClassId, World};
use sources::{Classes, Platform, class};
use testkit::{javac, jdk};

const ORACLE: &str = "
import java.nio.file.*;
import java.util.*;
class Oracle {
    public static void main(String[] args) throws Exception {
        List<Class<?>> all = new ArrayList<>();
        for (String name : Files.readAllLines(Path.of(args[0]))) {
            all.add(Class.forName(name, false, null));
        }
        for (Class<?> sub : all) {
            StringBuilder row = new StringBuilder();
            for (Class<?> sup : all) {
                row.append(sup.isAssignableFrom(sub) ? '1' : '0');
            }
            System.out.println(row);
        }
    }
}";

/// Classes of a few packages with rich hierarchies.
fn sample() -> Result<Vec<String>> {
    let packages =
        ["java/util", "java/util/concurrent", "java/io", "java/nio", "java/lang/constant"];
    let platform = Platform::current()?;
    let is_sampled =
        |name: &&str| name.rsplit_once('/').is_some_and(|(package, _)| packages.contains(&package));
    Ok(platform.names().filter(is_sampled).map(str::to_owned).collect())
}

#[test]
fn the_jvm_agrees() -> Result<()> {
    let names = sample()?;
    ensure!(names.len() > 500, "only {} classes", names.len());
    let oracle = javac::compile(&[("Oracle.java", ORACLE)], &[])?;
    let list = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("hierarchy-names");
    let text = names.iter().fold(String::new(), |mut text, name| {
        let _ = writeln!(text, "{}", name.replace('/', "."));
        text
    });
    std::fs::write(&list, text)?;
    let output = Command::new(jdk::current()?.tool("java")?)
        .arg("-cp")
        .args([&oracle, &PathBuf::from("Oracle"), &list])
        .output()
        .context("cannot run java")?;
    if !output.status.success() {
        bail!("java failed:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    let said = String::from_utf8(output.stdout)?;
    ensure!(said.lines().count() == names.len(), "one row for each class");
    let program = Classes::default().program()?;
    let ids: Vec<ClassId> = names.iter().map(|name| class(&program, name)).collect();
    for ((&sub, name), row) in ids.iter().zip(&names).zip(said.lines()) {
        for ((&sup, above), bit) in ids.iter().zip(&names).zip(row.chars()) {
            assert_eq!(program.is_subtype(sub, sup), Some(bit == '1'), "{name} below {above}");
        }
    }
    // Downwards it is the same relation, among the members of a world.
    let world = World::new(&program, ids.iter().copied());
    for &sup in &ids {
        let all = world.members().iter().copied();
        let below: Vec<ClassId> =
            all.filter(|&sub| program.is_subtype(sub, sup) == Some(true)).collect();
        assert_eq!(world.subtypes(sup), below, "{}", program.class_text(program.class_name(sup)));
    }
    Ok(())
}

#[test]
fn a_world_holds_supertypes_and_nothing_else() -> Result<()> {
    let sources = [(
        "p/All.java",
        "package p;
         interface I {} interface J extends I {} interface K {}
         class A implements J {} class B extends A implements K {} class C extends A {} class Alone {}",
    )];
    let program = Classes::below(&javac::compile(&sources, &[])?)?.program()?;
    let id = |name: &str| class(&program, name);
    let world = World::new(&program, [id("p/B"), id("p/C")]);
    let text = |ids: &[ClassId]| {
        let mut names: Vec<String> =
            ids.iter().map(|&id| program.class_text(program.class_name(id))).collect();
        names.sort();
        names.join(" ")
    };
    assert_eq!(text(world.members()), "java.lang.Object p.A p.B p.C p.I p.J p.K");
    assert!(world.members().is_sorted());
    assert_eq!(text(world.direct_subtypes(id("p/A"))), "p.B p.C");
    assert_eq!(text(world.direct_subtypes(id("p/I"))), "p.J");
    assert_eq!(text(&world.subtypes(id("p/I"))), "p.A p.B p.C p.I p.J");
    assert_eq!(text(&world.subtypes(id("p/K"))), "p.B p.K");
    assert_eq!(text(&world.subtypes(id("java/lang/Object"))), text(world.members()));
    let ancestry = program.ancestry(program.class(id("p/B")).context("p.B is readable")?);
    let superclasses: Vec<String> = ancestry
        .superclasses
        .iter()
        .map(|&id| program.class_text(program.class_name(id)))
        .collect();
    assert_eq!(superclasses, ["p.B", "p.A", "java.lang.Object"]);
    assert_eq!(text(&ancestry.interfaces), "p.I p.J p.K");
    assert!(ancestry.missing.is_empty());
    Ok(())
}

#[test]
fn a_missing_supertype_leaves_only_no_open() -> Result<()> {
    let source = "package p; interface I {} interface J {} class S {} class A implements I {} \
                  class B {} class C extends S {} final class F {}";
    let classes = Classes::below(&javac::compile(&[("p/All.java", source)], &[])?)?;
    let program = classes.without("p/I").without("p/S").program()?;
    let id = |name: &str| class(&program, name);
    let is_subtype = |sub: &str, sup: &str| program.is_subtype(id(sub), id(sup));
    assert_eq!(is_subtype("p/A", "java/lang/Object"), Some(true));
    assert_eq!(is_subtype("p/A", "p/A"), Some(true));
    assert_eq!(is_subtype("p/A", "p/J"), None);
    // An interface makes nothing a subclass, and nothing is below a final class.
    assert_eq!(is_subtype("p/A", "p/B"), Some(false));
    assert_eq!(is_subtype("p/C", "p/B"), None);
    assert_eq!(is_subtype("p/C", "p/J"), None);
    assert_eq!(is_subtype("p/C", "p/F"), Some(false));
    assert_eq!(is_subtype("p/B", "p/A"), Some(false));
    Ok(())
}

#[test]
fn a_package_of_the_platform_has_its_own_classes() -> Result<()> {
    let source = [("p/Own.java", "package p; class Own {}")];
    let program = Classes::below(&javac::compile(&source, &[])?)?.program()?;
    let platform = Platform::current()?;
    let is_there = |name: &&str| name.rsplit_once('/').is_some_and(|(it, _)| it == "java/io");
    let mut wanted: Vec<ClassId> =
        platform.names().filter(is_there).map(|name| class(&program, name)).collect();
    wanted.sort_unstable();
    assert!(wanted.len() > 50);
    assert_eq!(program.platform_package(b"java/io"), wanted);
    assert!(program.platform_package(b"p").is_empty());
    assert!(program.platform_package(b"java").is_empty());
    Ok(())
}

#[test]
fn a_body_that_is_kept_is_one() -> Result<()> {
    let source = [(
        "p/Own.java",
        "package p; abstract class Own { int a() { return 1; } abstract int b(); }",
    )];
    let program = Classes::below(&javac::compile(&source, &[])?)?.program()?;
    let own = program.class(class(&program, "p/Own")).context("p.Own is readable")?;
    for (method, declared) in own.methods() {
        let kept = || program.body(method).ok().flatten();
        let (first, second) = (kept(), kept());
        assert_eq!(first.is_none(), declared.access_flags.is_abstract());
        let is_one = |(one, two): (&Arc<_>, &Arc<_>)| Arc::ptr_eq(one, two);
        assert!(first.as_ref().zip(second.as_ref()).is_none_or(is_one));
        let lowered = program.lower(method).ok().flatten().map(|body| body.instructions.len());
        assert_eq!(first.map(|body| body.instructions.len()), lowered);
    }
    Ok(())
}
