//! Code that runs without being called by name, and objects that are not what they seem.

use program::MethodId;

use crate::locks::context::Context;
use crate::locks::facts::What;
use crate::locks::names::{class_name, frame_name};

/// Whether code that is not the library's calls `System.setOut` or the like.
pub(super) fn replaces_streams(context: &Context<'_>) -> bool {
    let program = context.universe.program;
    let replaces = |id: MethodId| {
        let (class, method) = program.method(id);
        program.names.bytes(class.name) == b"java/lang/System"
            && matches!(program.names.bytes(method.name), b"setOut" | b"setErr" | b"setIn")
    };
    let own = context.slice.methods.iter().zip(&context.slice.facts);
    let own = own.filter(|(id, _)| !context.universe.is_platform(id.class));
    let mut events = own.flat_map(|(_, facts)| &facts.events);
    events.any(|event| matches!(&event.what, What::Call(call) if replaces(call.resolved)))
}

/// Where only what `main` reaches is judged: calls that may run code which it does not reach.
pub(super) fn find_hidden_code(context: &Context<'_>) -> Vec<String> {
    let runs_more = |id: MethodId| {
        let (class, method) = context.universe.program.method(id);
        let name = context.universe.program.names.bytes(method.name);
        let class = class_name(context, class.id);
        is_reflective(&class)
            || matches!(
                (class.as_str(), name),
                ("java.lang.Class", b"newInstance" | b"forName")
                    | ("java.lang.ClassLoader", b"loadClass")
                    | ("java.io.ObjectInputStream", b"readObject" | b"readUnshared")
            )
    };
    let mut found = Vec::new();
    for (method, facts) in context.slice.facts.iter().enumerate() {
        if context.universe.is_platform(context.slice.methods[method].class) {
            continue;
        }
        for event in &facts.events {
            if let What::Call(call) = &event.what
                && runs_more(call.resolved)
            {
                let place = frame_name(context, method, event.pc);
                let called = called_name(context, call.resolved);
                found.push(format!(
                    "{place} calls {called}, which may run code that main does not reach"
                ));
            }
        }
    }
    found
}

pub(super) fn is_reflective(class: &str) -> bool {
    class.starts_with("java.lang.reflect.")
        || class.starts_with("java.lang.invoke.")
        || class == "java.util.ServiceLoader"
}

/// `p.C.m()`
pub(super) fn called_name(context: &Context<'_>, method: MethodId) -> String {
    let program = context.universe.program;
    let (class, declared) = program.method(method);
    format!("{}.{}()", program.class_text(class.name), program.names.text(declared.name))
}
