//! Resolution where no case in Java says enough: arrays, signature polymorphism, fields, and classes
//! that are missing or malformed.

use anyhow::{Context, Result};
use program::{Program, Resolution};
use testkit::assembler::{ACC_ABSTRACT, ACC_INTERFACE, ACC_PUBLIC, ClassWriter};
use testkit::javac;

use crate::sources::{Classes, class, name};
use crate::text;

/// The text of what a reference resolves to.
fn resolve(program: &Program, owner: &str, method: &str, descriptor: &str) -> Resolution<String> {
    let [owner, method, descriptor] = [owner, method, descriptor].map(|text| name(program, text));
    match program.resolve_method(owner, method, descriptor) {
        Resolution::Found(id) => Resolution::Found(text(program, id)),
        Resolution::MissingClass(name) => Resolution::MissingClass(name),
        Resolution::NoSuchMember => Resolution::NoSuchMember,
    }
}

fn found(text: &str) -> Resolution<String> {
    Resolution::Found(text.to_owned())
}

#[test]
fn arrays_have_the_methods_of_object() -> Result<()> {
    let program = Classes::default().program()?;
    for owner in ["[I", "[[Ljava/lang/String;", "[Lno/Such;"] {
        let clone = resolve(&program, owner, "clone", "()Ljava/lang/Object;");
        assert_eq!(clone, found("java.lang.Object.clone"), "{owner}");
    }
    assert_eq!(resolve(&program, "[I", "length", "()I"), Resolution::NoSuchMember);
    Ok(())
}

#[test]
fn interfaces_have_the_public_methods_of_object() -> Result<()> {
    let program = Classes::default().program()?;
    let list = "java/util/List";
    assert_eq!(resolve(&program, list, "hashCode", "()I"), found("java.util.List.hashCode"));
    let to_string = resolve(&program, list, "toString", "()Ljava/lang/String;");
    assert_eq!(to_string, found("java.lang.Object.toString"));
    let clone = resolve(&program, list, "clone", "()Ljava/lang/Object;");
    assert_eq!(clone, Resolution::NoSuchMember);
    Ok(())
}

#[test]
fn signature_polymorphic_methods_fit_any_descriptor() -> Result<()> {
    let program = Classes::default().program()?;
    let handle = "java/lang/invoke/MethodHandle";
    for (owner, method) in [
        (handle, "invokeExact"),
        (handle, "invoke"),
        ("java/lang/invoke/VarHandle", "compareAndSet"),
    ] {
        let [owner_name, method_name, descriptor] =
            [owner, method, "(JLjava/lang/String;)D"].map(|text| name(&program, text));
        let id = program.resolve_method(owner_name, method_name, descriptor).found();
        let id = id.with_context(|| method)?;
        assert!(program.is_signature_polymorphic(id), "{method}");
    }
    // Neither another method of the class nor another class has this freedom.
    assert_eq!(resolve(&program, handle, "bindTo", "(J)D"), Resolution::NoSuchMember);
    assert_eq!(resolve(&program, "java/lang/Object", "invoke", "(J)D"), Resolution::NoSuchMember);
    let as_type = program.resolve_method(
        name(&program, handle),
        name(&program, "type"),
        name(&program, "()Ljava/lang/invoke/MethodType;"),
    );
    assert!(!program.is_signature_polymorphic(as_type.found().context("type()")?));
    Ok(())
}

/// JVMS 5.4.3.3: of several superinterface methods, the only one with code.
#[test]
fn resolution_prefers_the_method_with_code() -> Result<()> {
    let sources = [(
        "p/All.java",
        "package p;
         interface Without { String m(); }
         interface With { default String m() { return null; } }
         abstract class Before implements Without {}
         abstract class After implements With {}",
    )];
    let mut classes = Classes::below(&javac::compile(&sources, &[])?)?;
    for (this, interfaces) in
        [("p/One", ["p/Without", "p/With"]), ("p/Two", ["p/With", "p/Without"])]
    {
        let mut writer = ClassWriter::new(52, this, "java/lang/Object");
        interfaces.iter().for_each(|interface| writer.interface(interface));
        classes.add(writer.bytes())?;
    }
    let program = classes.program()?;
    for owner in ["p/One", "p/Two", "p/After"] {
        let method = resolve(&program, owner, "m", "()Ljava/lang/String;");
        assert_eq!(method, found("p.With.m"), "{owner}");
    }
    let method = resolve(&program, "p/Before", "m", "()Ljava/lang/String;");
    assert_eq!(method, found("p.Without.m"));
    Ok(())
}

const TOWER: (&str, &str) = (
    "p/Tower.java",
    "package p;
     interface Top { int CONSTANT = 1; default void d() {} }
     class Low implements Top { int field; void low() {} }
     class Middle extends Low { void middle() {} }
     class High extends Middle { String field; void high() {} }",
);

#[test]
fn fields_by_interface_then_superclass() -> Result<()> {
    let program = Classes::below(&javac::compile(&[TOWER], &[])?)?.program()?;
    let owner = |owner: &str, field: &str, descriptor: &str| {
        let [owner, field, descriptor] =
            [owner, field, descriptor].map(|text| name(&program, text));
        let id = program.resolve_field(owner, field, descriptor).found()?;
        Some(program.class_text(program.class_name(id.class)))
    };
    assert_eq!(owner("p/High", "CONSTANT", "I").as_deref(), Some("p.Top"));
    assert_eq!(owner("p/High", "field", "Ljava/lang/String;").as_deref(), Some("p.High"));
    assert_eq!(owner("p/High", "field", "I").as_deref(), Some("p.Low"));
    assert_eq!(owner("p/High", "field", "J"), None);
    Ok(())
}

#[test]
fn a_missing_superclass_leaves_it_open() -> Result<()> {
    let classes = Classes::below(&javac::compile(&[TOWER], &[])?)?.without("p/Low");
    let program = classes.program()?;
    let low = name(&program, "p/Low");
    assert_eq!(resolve(&program, "p/High", "high", "()V"), found("p.High.high"));
    assert_eq!(resolve(&program, "p/High", "middle", "()V"), found("p.Middle.middle"));
    for method in ["low", "d", "nowhere"] {
        let resolution = resolve(&program, "p/High", method, "()V");
        assert_eq!(resolution, Resolution::MissingClass(low), "{method}");
    }
    assert_eq!(resolve(&program, "p/Low", "low", "()V"), Resolution::MissingClass(low));
    // A method of the interface, called on an object whose class may override it further up.
    let top = class(&program, "p/Top");
    let d = program
        .class(top)
        .and_then(|c| c.declared_method(name(&program, "d"), name(&program, "()V")));
    let selected = program.select_method(class(&program, "p/High"), d.context("p.Top.d")?);
    assert_eq!(selected, Resolution::MissingClass(low));
    assert_eq!(program.is_subtype(class(&program, "p/High"), top), None);
    assert_eq!(
        program.is_subtype(class(&program, "p/High"), class(&program, "p/Middle")),
        Some(true)
    );
    Ok(())
}

#[test]
fn circles_end() -> Result<()> {
    let mut classes = Classes::default();
    for (this, above) in
        [("a/One", "a/Two"), ("a/Two", "a/Three"), ("a/Three", "a/One"), ("a/Self", "a/Self")]
    {
        let mut writer = ClassWriter::new(52, this, above);
        writer.bodiless_method(ACC_PUBLIC | ACC_ABSTRACT, "m", "()V");
        classes.add(writer.bytes())?;
    }
    for (this, above) in [("a/I", "a/J"), ("a/J", "a/I"), ("a/K", "a/K")] {
        let mut writer = ClassWriter::new(52, this, "java/lang/Object");
        writer.access = ACC_PUBLIC | ACC_ABSTRACT | ACC_INTERFACE;
        writer.interface(above);
        classes.add(writer.bytes())?;
    }
    let program = classes.program()?;
    assert_eq!(resolve(&program, "a/One", "m", "()V"), found("a.One.m"));
    for owner in ["a/One", "a/Self"] {
        let missing = Resolution::MissingClass(name(&program, owner));
        assert_eq!(resolve(&program, owner, "n", "()V"), missing);
    }
    for owner in ["a/I", "a/J", "a/K"] {
        let resolution = resolve(&program, owner, "n", "()V");
        assert!(resolution.found().is_none(), "{owner}");
    }
    let problems: Vec<String> = program.problems().into_iter().map(|p| p.message).collect();
    assert!(problems.iter().any(|message| message == "is its own superclass"), "{problems:?}");
    Ok(())
}
