//! What a collection in a private field holds, where all that is ever put in is made for it.
//!
//! The collection itself must be one of the library's, made for its owner and known to nobody else: then
//! the places that put something in are the calls on it in the classes around. If each of these puts in
//! an object that it has just made, what the collection holds is younger than its owner, and what the
//! constructor of each was given of the owner is found in it again.

use program::ir::{Body, InvokeKind, MethodRef, Op, Terminator, Value};
use program::{Class, FieldId, MethodId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::fields::{Age, FieldFacts, is_final};
use super::path::{Paths, Root};
use super::slice::Slice;
use super::universe::Universe;
use super::values::{Scene, Values, infer_values};

/// An object that a method makes and puts in: the method and the pc that makes it.
pub(super) type Made = (MethodId, u16);

/// By the field that holds the collection: all that is put in, each after the owner was made.
pub(super) type Contents = FxHashMap<FieldId, Vec<Made>>;

pub(super) fn find_contents(
    universe: &Universe<'_>,
    paths: &Paths,
    slice: &Slice,
    fields: &FxHashMap<FieldId, FieldFacts>,
) -> Contents {
    let program = universe.program;
    let is_library = |facts: &FieldFacts| {
        let is_collection = |id: &_| universe.is_platform(*id) && universe.is_container(*id);
        !facts.classes.is_empty() && facts.classes.iter().all(is_collection)
    };
    let mut candidates: Vec<FieldId> = fields
        .iter()
        .filter(|(_, facts)| facts.age == Age::Younger && is_library(facts))
        .map(|(&field, _)| field)
        .filter(|&field| {
            let (class, declared) = program.field(field);
            let flags = declared.access_flags;
            flags.is_private() && !flags.is_static() && !universe.is_platform(class.id)
        })
        .collect();
    candidates.sort_unstable();
    let mut nests: FxHashMap<String, Vec<MethodId>> = FxHashMap::default();
    if !candidates.is_empty() {
        for &method in slice.methods.iter().filter(|it| !universe.is_platform(it.class)) {
            nests.entry(outermost(universe, method.class)).or_default().push(method);
        }
    }
    let mut found = Contents::default();
    for field in candidates {
        let near = nests.get(&outermost(universe, field.class)).map_or(&[][..], Vec::as_slice);
        let all: Option<Vec<Vec<Made>>> =
            near.iter().map(|&method| put_in(universe, paths, method, field, true)).collect();
        if let Some(all) = all.map(|it| it.concat()).filter(|it| !it.is_empty()) {
            found.insert(field, all);
        }
    }
    found
}

/// Whether the collection in a private field stays with the classes around: they call its methods, and hand
/// it to nobody.
pub(super) fn is_kept(
    universe: &Universe<'_>,
    paths: &Paths,
    slice: &Slice,
    field: FieldId,
) -> bool {
    let nest = outermost(universe, field.class);
    let mut near = slice
        .methods
        .iter()
        .filter(|it| !universe.is_platform(it.class) && outermost(universe, it.class) == nest);
    universe.program.field(field).1.access_flags.is_private()
        && near.all(|&method| put_in(universe, paths, method, field, false).is_some())
}

fn outermost(universe: &Universe<'_>, class: program::ClassId) -> String {
    let name = universe.program.class_text(universe.program.class_name(class));
    name.split('$').next().unwrap_or_default().to_owned()
}

/// What the method puts into the collection of the field; `None` if it may be anything, or if others may
/// get hold of the collection.
fn put_in(
    universe: &Universe<'_>,
    paths: &Paths,
    method: MethodId,
    field: FieldId,
    asks_what: bool,
) -> Option<Vec<Made>> {
    let Ok(Some(body)) = universe.program.lower(method) else {
        return (!universe.has_code(method)).then(Vec::new);
    };
    let scene = Scene::new(universe, paths, method, &body);
    let is_read =
        |op: &Op| matches!(op, Op::GetField(it, _) if scene.resolve_field(it) == Some(field));
    if !body.instructions.iter().any(|it| is_read(&it.op)) {
        return Some(Vec::new());
    }
    let values = infer_values(&scene);
    let mut tracking =
        Tracking { scene: &scene, values: &values, held: FxHashSet::default(), asks_what };
    for instruction in body.instructions.iter().filter(|it| is_read(&it.op)) {
        let Op::GetField(_, owner) = instruction.op else { continue };
        if asks_what && !tracking.was_there(owner) {
            return None;
        }
        tracking.held.extend(instruction.result);
    }
    tracking.spread();
    let mut made = Vec::new();
    for instruction in &body.instructions {
        made.extend(tracking.look_at(&instruction.op)?);
    }
    let leaves = body.blocks.iter().any(|block| match block.terminator {
        Terminator::Return(Some(value)) | Terminator::Throw(value) => {
            tracking.held.contains(&value)
        }
        Terminator::Return(None)
        | Terminator::Goto(_)
        | Terminator::If { .. }
        | Terminator::Switch { .. } => false,
    });
    (!leaves).then_some(made)
}

/// The values of a body that are the collection, or views and iterators of it.
struct Tracking<'a> {
    scene: &'a Scene<'a>,
    values: &'a Values,
    held: FxHashSet<Value>,
    /// Whether it matters what is put in.
    asks_what: bool,
}

impl Tracking<'_> {
    fn body(&self) -> &Body {
        self.scene.body
    }

    /// Whether the object was there before anything that the method makes.
    fn was_there(&self, object: Value) -> bool {
        let choices = self.values.choices(object);
        !choices.is_empty()
            && choices.iter().all(|it| {
                let path = self.scene.paths.of(it.path);
                let is_found = path.steps().iter().all(|step| is_final(self.scene.universe, *step));
                matches!(path.root, Root::Param(_)) && is_found
            })
    }

    fn spread(&mut self) {
        let body = self.scene.body;
        let mut before = 0;
        while before < self.held.len() {
            before = self.held.len();
            for instruction in &body.instructions {
                let Some(result) = instruction.result else { continue };
                let is_view = match instruction.op {
                    Op::CheckCast(_, value) => self.held.contains(&value),
                    Op::Invoke { arguments, .. } => {
                        let receiver = body.list(arguments).first();
                        receiver.is_some_and(|it| self.held.contains(it))
                            && self.is_container(result)
                    }
                    _ => false,
                };
                if is_view {
                    self.held.insert(result);
                }
            }
            for block in &body.blocks {
                let mut flow = |edge: program::ir::Edge, skip: usize| {
                    let parameters = body.list(body.block(edge.target).parameters);
                    let pairs = parameters[skip..].iter().zip(body.list(edge.arguments));
                    for (parameter, _) in
                        pairs.filter(|(_, it)| self.held.contains(it)).collect::<Vec<_>>()
                    {
                        self.held.insert(*parameter);
                    }
                };
                body.for_each_successor(block, |edge| flow(edge, 0));
                body.handlers_of(block).iter().for_each(|it| flow(it.edge, 1));
            }
        }
    }

    fn is_container(&self, value: Value) -> bool {
        let class = self.values.of(value).and_then(|it| it.class);
        class.is_some_and(|it| self.scene.universe.is_container(it))
    }

    /// What the instruction puts in; `None` if it may be anything.
    fn look_at(&self, op: &Op) -> Option<Vec<Made>> {
        let body = self.body();
        let mut uses = false;
        op.for_each_operand(body, |value| uses |= self.held.contains(&value));
        match op {
            Op::Invoke { kind, method, arguments } => {
                let arguments = body.list(*arguments);
                let is_entry =
                    self.scene.universe.program.names.bytes(method.class) == b"java/util/Map$Entry";
                if !uses {
                    // What comes out of a map may be a way into it.
                    let sets = is_entry && arguments.len() > 1;
                    return (!sets).then(Vec::new);
                }
                self.called(*kind, method, arguments)
            }
            Op::CheckCast(..) | Op::InstanceOf(..) | Op::MonitorEnter(_) | Op::MonitorExit(_) => {
                Some(Vec::new())
            }
            // Another collection may be put there, but not this one elsewhere.
            Op::PutField(_, _, value) => (!self.held.contains(value)).then(Vec::new),
            Op::Const(_)
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::New(_)
            | Op::NewArray { .. }
            | Op::NewMultiArray { .. }
            | Op::ArrayLength(_)
            | Op::ArrayLoad { .. }
            | Op::ArrayStore { .. }
            | Op::GetStatic(_)
            | Op::PutStatic(..)
            | Op::GetField(..)
            | Op::InvokeDynamic { .. } => (!uses).then(Vec::new),
        }
    }

    fn called(
        &self,
        kind: InvokeKind,
        method: &MethodRef,
        arguments: &[Value],
    ) -> Option<Vec<Made>> {
        let (&receiver, given) = arguments.split_first()?;
        let id = self.scene.resolve(method).0?;
        let is_library = self.scene.universe.is_platform(id.class);
        let is_handed_on = given.iter().any(|it| self.held.contains(it));
        if kind == InvokeKind::Static
            || !is_library
            || is_handed_on
            || !self.held.contains(&receiver)
        {
            return None;
        }
        let is_ref = |it: &&Value| self.body().kind(**it) == program::Kind::Ref;
        let mut given = given.iter().filter(is_ref).peekable();
        if given.peek().is_none() || !self.asks_what || !self.may_keep(id) {
            return Some(Vec::new());
        }
        let made = given.filter(|it| !self.is_text(**it)).map(|&it| self.made_here(it));
        made.collect()
    }

    /// Whether the method of a generic class may keep what it is given: not if it takes any object.
    fn may_keep(&self, method: MethodId) -> bool {
        let program = self.scene.universe.program;
        let (class, _): (&Class, _) = program.method(method);
        let of_class = class.file.signature().ok().flatten();
        if !of_class.is_some_and(|text| class.file.bytes(text).starts_with(b"<")) {
            return true;
        }
        let declared = class.file.methods.get(method.index());
        let text = declared.and_then(|it| it.signature(&class.file).ok()?);
        text.is_some_and(|text| takes_variable(class.file.bytes(text)))
    }

    /// Whether the value is of a type of the library that has no locks of ours, as the key of a map.
    fn is_text(&self, value: Value) -> bool {
        let universe = self.scene.universe;
        let class = self.values.of(value).and_then(|it| universe.program.class(it.class?));
        class.is_some_and(|it| universe.is_platform(it.id) && it.access_flags.is_final())
    }

    fn made_here(&self, value: Value) -> Option<Made> {
        let choices = self.values.choices(value);
        let [only] = choices[..] else { return None };
        let path = self.scene.paths.of(only.path);
        // What a lambda gives is something else, and what is inside of another collection too.
        let class = only.class.and_then(|it| self.scene.universe.program.class(it));
        let universe = self.scene.universe;
        let is_object = only.exact
            && class.is_some_and(|it| !it.is_interface() && !universe.is_platform(it.id))
            && !self.is_container(value);
        match path.root {
            Root::Alloc(maker, pc)
                if is_object && maker == self.scene.method && path.steps().is_empty() =>
            {
                Some((maker, pc))
            }
            _ => None,
        }
    }
}

/// Whether a type variable is among the types that a method takes, alone or inside of another: `(ITE;)V`.
fn takes_variable(signature: &[u8]) -> bool {
    let parameters = signature.split(|&it| it == b'(').nth(1).unwrap_or_default();
    let mut is_in_name = false;
    for &letter in parameters.iter().take_while(|&&it| it != b')') {
        match letter {
            b'<' | b';' => is_in_name = false,
            b'.' => is_in_name = true,
            _ if is_in_name => {}
            b'L' => is_in_name = true,
            b'T' => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::takes_variable;

    #[test]
    fn variables_are_told_from_names() {
        for kept in ["(TE;)Z", "(ITE;)V", "(J[TT;)V", "(Ljava/util/Collection<+TE;>;)Z"] {
            assert!(takes_variable(kept.as_bytes()), "{kept}");
        }
        for told in ["(Ljava/lang/Object;)Z", "(ILjava/util/Tree;)TE;", "(LT<*>.T;)V", "()TT;"] {
            assert!(!takes_variable(told.as_bytes()), "{told}");
        }
    }
}
