//! What a method asks of things that no code shows: files beside the classes, monitors.

use program::ir::{Body, Const, MethodRef, Op, Value};

use super::{RESOURCES, Universe, Uses};

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

    /// The text that a value is, if the code says so.
    fn text_of(&self, body: &Body, value: Value) -> Option<String> {
        let made = body.instructions.iter().find(|it| it.result == Some(value))?;
        let Op::Const(Const::String(text)) = made.op else { return None };
        let literal = self.program.names.utf16(self.program.literal(text));
        Some(String::from_utf16_lossy(&literal))
    }
}
