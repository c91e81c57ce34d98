//! Descriptors, bootstrap methods and computed constants.

use testkit::assembler::opcodes::*;
use testkit::assembler::{ClassWriter, Code};

use super::{class, is_lowered, method};

#[test]
fn long_descriptors_read_often() {
    let mut class = class();
    let long = "x".repeat(65_000);
    let taking = class.pool.method_ref("T", "f", &format!("(L{long};)V"));
    let array = class.pool.class(&format!("[L{long};"));
    let mut code = Code::new();
    for _ in 0..6_000 {
        code.op(ACONST_NULL).op_u16(CHECKCAST, array).op_u16(INVOKESTATIC, taking);
    }
    code.op(RETURN);
    assert!(!is_lowered(&method(class, code)));

    let mut class = self::class();
    let taking = class.pool.method_ref("T", "f", &format!("({})V", "I".repeat(60_000)));
    let mut code = Code::new().limits(u16::MAX, 4);
    code.op(ILOAD_0).op(ILOAD_0);
    for _ in 0..29_999 {
        code.op(DUP2);
    }
    code.op_u16(INVOKESTATIC, taking).op(RETURN);
    assert!(is_lowered(&method(class, code)));
}

const LOOKUP: &str = "Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;";

/// The handle of a static bootstrap method.
fn bootstrap(class: &mut ClassWriter, owner: &str, name: &str) -> u16 {
    let descriptor = format!("({LOOKUP}Ljava/lang/Object;)Ljava/lang/Object;");
    let method = class.pool.method_ref(owner, name, &descriptor);
    class.pool.method_handle(6, method)
}

fn bootstrap_methods(class: &mut ClassWriter, methods: &[(u16, Vec<u16>)]) {
    let mut table = (methods.len() as u16).to_be_bytes().to_vec();
    for (handle, arguments) in methods {
        let words = [*handle, arguments.len() as u16];
        table.extend(words.iter().chain(arguments).flat_map(|word| word.to_be_bytes()));
    }
    let attribute = class.attribute("BootstrapMethods", &table);
    class.attributes.push(attribute);
}

/// A `CONSTANT_Dynamic` of type Object.
fn dynamic(class: &mut ClassWriter, bootstrap: u16) -> u16 {
    let name_and_type = class.pool.name_and_type("x", "Ljava/lang/Object;");
    class.pool.raw(17, &[bootstrap.to_be_bytes(), name_and_type.to_be_bytes()].concat())
}

/// Loads constants that are computed from `width` constants each, `depth` deep.
fn computed_constants(depth: u16, width: usize, loads: usize) -> Vec<u8> {
    let mut class = class();
    let invoke = bootstrap(&mut class, "java/lang/invoke/ConstantBootstraps", "invoke");
    let mut methods = Vec::new();
    for level in 0..depth {
        let inner = match level + 1 {
            next if next < depth => dynamic(&mut class, next),
            _ => class.pool.integer(7),
        };
        methods.push((invoke, [vec![invoke], vec![inner; width]].concat()));
    }
    let outer = dynamic(&mut class, 0);
    bootstrap_methods(&mut class, &methods);
    let mut code = Code::new();
    for _ in 0..loads {
        code.op_u16(LDC_W, outer).op(POP);
    }
    code.op(RETURN);
    method(class, code)
}

#[test]
fn constants_computed_from_constants() {
    assert!(is_lowered(&computed_constants(7, 3, 5)));
    assert!(is_lowered(&computed_constants(6_000, 1, 1_000)));
    assert!(!is_lowered(&computed_constants(8, 60, 1)));
    assert!(!is_lowered(&computed_constants(1, 65_000, 15_000)));
    // Each constant from itself.
    let mut class = class();
    let invoke = bootstrap(&mut class, "java/lang/invoke/ConstantBootstraps", "invoke");
    let own = dynamic(&mut class, 0);
    bootstrap_methods(&mut class, &[(invoke, vec![invoke, own, own, own])]);
    let mut code = Code::new();
    for _ in 0..10_000 {
        code.op_u16(LDC_W, own).op(POP);
    }
    code.op(RETURN);
    assert!(!is_lowered(&method(class, code)));
}

/// A method of `invokedynamic`s that all have this bootstrap method.
fn dynamic_calls(mut class: ClassWriter, handle: u16, arguments: Vec<u16>) -> Vec<u8> {
    bootstrap_methods(&mut class, &[(handle, arguments)]);
    let call = class.pool.invoke_dynamic(0, "x", "()Ljava/lang/Object;");
    let mut code = Code::new();
    for _ in 0..10_000 {
        code.op_u16(INVOKEDYNAMIC, call).op(NOP).op(NOP).op(POP);
    }
    code.op(RETURN);
    method(class, code)
}

#[test]
fn call_sites_with_many_parts() {
    let mut with_recipe = class();
    let concat = bootstrap(
        &mut with_recipe,
        "java/lang/invoke/StringConcatFactory",
        "makeConcatWithConstants",
    );
    let bytes = [65_000u16.to_be_bytes().as_slice(), &[0; 65_000]].concat();
    let recipe = with_recipe.pool.raw(1, &bytes);
    let recipe = with_recipe.pool.raw(8, &recipe.to_be_bytes());
    assert!(!is_lowered(&dynamic_calls(with_recipe, concat, vec![recipe])));

    let switches = [("SwitchBootstraps", "typeSwitch"), ("SwitchBootstraps", "enumSwitch")];
    for (owner, name) in switches.into_iter().chain([("ObjectMethods", "bootstrap")]) {
        let mut class = class();
        let handle = bootstrap(&mut class, &format!("java/lang/runtime/{owner}"), name);
        let label = class.pool.class("T");
        let arguments = [vec![label; 2], vec![handle; 65_000]].concat();
        assert!(!is_lowered(&dynamic_calls(class, handle, arguments)), "{name}");
    }
}

#[test]
fn many_plain_dynamic_calls() {
    let mut class = class();
    let handle = bootstrap(&mut class, "T", "bootstrap");
    assert!(is_lowered(&dynamic_calls(class, handle, Vec::new())));
}
