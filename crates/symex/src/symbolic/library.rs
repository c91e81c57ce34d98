//! Code of the platform that is not worth following where two versions are compared: both run on the same
//! platform, so that a call of it with the same arguments in the same heap does the same.

use program::ir::{InvokeKind, MethodRef, Op};
use program::{MethodId, Resolution, Role};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Term;

use super::retyped::Retyped;
use super::{Engine, Outcome, State};

/// Methods of more instructions are not followed.
const SMALL: usize = 24;
/// How deep the calls of small methods go.
const DEEPEST: u32 = 2;

/// How calls of the platform's code count.
#[derive(Debug, Default)]
pub struct Library<'p> {
    /// Whether they are calls to the outside, but for the plainest.
    pub is_closed: bool,
    /// How often they were.
    pub n_closed: u32,
    /// Methods that do the same in another version, whatever they call, and have the same name there: what
    /// lambdas run that code outside is given.
    pub unchanged: Option<&'p FxHashSet<MethodId>>,
    /// Fields of which the other version declares another type.
    pub retyped: Retyped,
    /// Of methods that were called, whether they look at their caller.
    asks_for_caller: FxHashMap<MethodId, bool>,
    /// How far away they are.
    pub(super) distances: FxHashMap<MethodId, super::models::Distance>,
}

impl Engine<'_> {
    /// The outcome of a call of the platform's code that is not followed, in this run or in any.
    pub(super) fn call_platform(
        &mut self,
        method: MethodId,
        arguments: &[Term],
        state: &State,
    ) -> Option<Outcome> {
        match self.call_library(method, arguments, state) {
            Some(outcome) => Some(outcome),
            None => self.call_afar(method, arguments, state),
        }
    }

    /// The outcome of a call of the platform's code, unless it is plain enough to be followed.
    fn call_library(
        &mut self,
        method: MethodId,
        arguments: &[Term],
        state: &State,
    ) -> Option<Outcome> {
        if !self.library.is_closed || self.stack.is_empty() {
            return None;
        }
        let (class, declared) = self.program.method(method);
        if self.program.role(class.id) != Role::Platform {
            return None;
        }
        let (class, is_constructor) = (class.id, declared.name == self.program.known.init);
        if is_constructor && !self.is_very_object(class, arguments[0]) {
            // What the constructor of a subclass leaves in its own fields must stay known.
            return None;
        }
        if self.is_throwable(class) || self.is_plain(method, 0) {
            return None;
        }
        self.library.n_closed += 1;
        Some(if is_constructor {
            self.construct_outside(method, arguments.to_vec(), state.clone())
        } else {
            self.call_outside(method, arguments.to_vec(), state.clone())
        })
    }

    /// A call of platform code that looks at who calls it: it is another call from another class.
    pub(super) fn call_for_caller(
        &mut self,
        method: MethodId,
        arguments: &[Term],
        state: &State,
    ) -> Option<Outcome> {
        let &(caller, _) = self.stack.last().filter(|_| !self.side.is_empty())?;
        if !self.asks_for_caller(method) {
            return None;
        }
        let (class, descriptor) = (caller.class, self.program.method(method).1.descriptor);
        let caller = self.program.class_text(self.program.class_name(class));
        let text = format!("{} from {caller}", self.method_text(method));
        Some(self.call_unknown(&text, descriptor, arguments.to_vec(), state.clone()))
    }

    /// The platform marks its methods that do.
    fn asks_for_caller(&mut self, method: MethodId) -> bool {
        if let Some(&known) = self.library.asks_for_caller.get(&method) {
            return known;
        }
        let (class, _) = self.program.method(method);
        let marks = |bytes: &[u8]| bytes.ends_with(b"/CallerSensitive;");
        let asks = self.program.role(class.id) == Role::Platform
            && class.file.methods[method.index()].annotations(&class.file).is_ok_and(|found| {
                found.iter().any(|it| marks(class.file.bytes(it.annotation_type)))
            });
        self.library.asks_for_caller.insert(method, asks);
        asks
    }

    /// Whether a new object is of this very class, not of one below.
    pub(super) fn is_very_object(&mut self, class: program::ClassId, object: Term) -> bool {
        if !self.space.is_fresh(object) {
            return false;
        }
        let number = self.space.number_of(object);
        let ty = self.numbered_type(self.space.fresh[number as usize].class);
        ty == Some(program::Type::class(self.program.class_name(class)))
    }

    /// What exceptions hold is compared on its own, so that their constructors are followed.
    pub(super) fn is_throwable(&self, class: program::ClassId) -> bool {
        let throwable = self.program.find_class(self.program.known.throwable);
        throwable.is_some_and(|it| self.program.is_subtype(class, it) != Some(false))
    }

    /// Whether a method only looks at what it is given: a few instructions without a loop, and calls of
    /// nothing but the like.
    pub(super) fn is_plain(&mut self, method: MethodId, depth: u32) -> bool {
        let Ok(Some(lowered)) = self.lowered(method) else { return false };
        let mut ends = lowered.flow.end.iter().enumerate();
        if lowered.body.instructions.len() > SMALL || ends.any(|(at, &end)| end as usize != at) {
            return false;
        }
        lowered.body.instructions.iter().all(|it| match &it.op {
            Op::Invoke { kind, method, .. } => self.is_plain_call(*kind, *method, depth),
            Op::InvokeDynamic { .. } | Op::MonitorEnter { .. } | Op::MonitorExit { .. } => false,
            _ => true,
        })
    }

    fn is_plain_call(&mut self, kind: InvokeKind, reference: MethodRef, depth: u32) -> bool {
        let MethodRef { class, name, descriptor } = reference;
        let Resolution::Found(callee) = self.program.resolve_method(class, name, descriptor) else {
            return false;
        };
        if self.models.find(self.program, callee).is_some() || self.is_throwable(callee.class) {
            return true;
        }
        match kind {
            InvokeKind::Static | InvokeKind::Special => {
                depth < DEEPEST && self.is_plain(callee, depth + 1)
            }
            // What every object has is looked up by its class.
            InvokeKind::Virtual | InvokeKind::Interface => {
                self.program.class_name(callee.class) == self.program.known.object
            }
        }
    }
}
