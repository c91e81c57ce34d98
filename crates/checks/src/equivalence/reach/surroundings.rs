//! What a method asks of things that no code shows: files beside the classes, monitors.

use program::ir::{Body, Const, MethodRef, Op, Value};
use program::{Element, Role};

use super::{KIN, MEMBERS, RESOURCES, Typed, Universe, Uses};

impl Universe<'_> {
    /// Calls of which proofs see nothing: what lies beside the classes, who owns a monitor.
    pub(super) fn surroundings(
        &self,
        body: &Body,
        method: MethodRef,
        arguments: &[Value],
        uses: &mut Uses,
    ) {
        let names = &self.program.names;
        let (class, name) = (names.text(method.class), names.text(method.name));
        uses.is_waiting |= matches!(&*name, "wait" | "notify" | "notifyAll" | "holdsLock");
        let others = &self.shifts.other_resources;
        if others.is_empty() {
            return;
        }
        let constant = arguments.iter().find_map(|&it| self.text_of(body, it));
        let names_one = |starts: &[String]| {
            others.iter().any(|path| starts.iter().any(|start| path.contains(start)))
        };
        let reads = match &*class {
            // All bundles of the name, whatever their language and their form.
            "java/util/ResourceBundle" if &*name == "getBundle" => {
                constant.is_none_or(|base| names_one(&[base.replace('.', "/"), base]))
            }
            "java/util/ResourceBundle" => false,
            "java/util/ServiceLoader" => {
                name.starts_with("load")
                    && others.iter().any(|path| path.starts_with("META-INF/services/"))
            }
            _ if name.starts_with("getResource") => {
                constant.is_none_or(|path| names_one(&[path.trim_start_matches('/').to_owned()]))
            }
            _ => false,
        };
        if reads {
            uses.opaque = Some(RESOURCES);
        }
    }

    /// Calls that show what classes are, beyond what they do: tests for a type that the code does not name,
    /// the class of an object, and streams of objects.
    pub(super) fn reflection(
        &self,
        typed: &Typed<'_>,
        method: MethodRef,
        (arguments, result): (&[Value], Option<Value>),
        uses: &mut Uses,
    ) {
        let body = typed.body;
        let names = &self.program.names;
        let (class, name) = (names.text(method.class), names.text(method.name));
        let made = arguments.first().and_then(|&it| {
            body.instructions.iter().find(|made| made.result == Some(it)).map(|made| &made.op)
        });
        let is_literal = matches!(made, Some(Op::Const(Const::Class(_))));
        let tests = matches!(&*name, "isInstance" | "cast" | "isAssignableFrom" | "asSubclass");
        if &*class == "java/lang/Class" && tests && !is_literal && !self.shifts.kin.is_empty() {
            uses.opaque = Some(KIN);
        }
        if &*name == "getClass"
            && arguments.len() == 1
            && self.has_other_class(typed, arguments[0])
            && result.is_some_and(|it| {
                !self.is_named_only(body, it) || self.shows_number(typed, arguments[0], it)
            })
        {
            uses.opaque = Some(MEMBERS);
        }
        if class.starts_with("java/io/Object") && self.shifts.is_other_stream {
            uses.opaque = Some(MEMBERS);
        }
    }

    /// Whether a method asks what the class of an object is called, and it may be one with another number.
    fn shows_number(&self, typed: &Typed<'_>, object: Value, class: Value) -> bool {
        const NAMING: [&str; 7] = [
            "getName",
            "getSimpleName",
            "getTypeName",
            "getCanonicalName",
            "toString",
            "valueOf",
            "append",
        ];
        let (program, body) = (self.program, typed.body);
        let is_numbered = |id| {
            let name = program.names.text(program.class_name(id));
            self.shifts.numbered.contains(&*name)
        };
        let names_it = body.instructions.iter().any(|it| {
            let mut is_used = false;
            it.op.for_each_operand(body, |value| is_used |= value == class);
            is_used
                && match it.op {
                    Op::Invoke { method, .. } => {
                        NAMING.contains(&&*program.names.text(method.name))
                    }
                    Op::InvokeDynamic { .. } => true,
                    _ => false,
                }
        });
        let made = || {
            body.instructions.iter().any(|it| match it.op {
                Op::New(class) => program.find_class(class).is_some_and(is_numbered),
                _ => false,
            })
        };
        let ty = typed.of(object).and_then(|ty| match ty.element {
            Element::Class(name) => program.find_class(name),
            Element::Primitive(_) => None,
        });
        names_it
            && match ty.filter(|&id| program.role(id) == Role::Judged) {
                Some(class) => is_numbered(class) || self.lineage.of_type(class).any(is_numbered),
                None => made(),
            }
    }

    /// Whether an object may be of a class that shows something else now.
    fn has_other_class(&self, typed: &Typed<'_>, object: Value) -> bool {
        let program = self.program;
        let is_other =
            |class| self.shifts.members.contains(&*program.names.text(program.class_name(class)));
        let any = !self.shifts.members.is_empty();
        let Some(ty) = typed.of(object).filter(|ty| ty.dimensions == 0) else { return any };
        let Element::Class(name) = ty.element else { return any };
        match program.find_class(name).filter(|&id| program.role(id) == Role::Judged) {
            Some(class) => self.lineage.of_type(class).any(is_other),
            None => any,
        }
    }

    /// The text that a value is, if the code says so.
    fn text_of(&self, body: &Body, value: Value) -> Option<String> {
        let made = body.instructions.iter().find(|it| it.result == Some(value))?;
        let Op::Const(Const::String(text)) = made.op else { return None };
        let literal = self.program.names.utf16(self.program.literal(text));
        Some(String::from_utf16_lossy(&literal))
    }
}
