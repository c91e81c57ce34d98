//! What a collection in a private field holds, where all that is ever put in is made for it.
//!
//! The collection itself must be one of the library's, made for its owner and known to nobody else: then
//! the places that put something in are the calls on it in the classes around, from its constructor on. If
//! each of these puts in an object that it has just made, what the collection holds is younger than its
//! owner, and what the constructor of each was given of the owner is found in it again.

use program::ir::{Body, InvokeKind, MethodRef, Op, Terminator, Value};
use program::{Class, FieldId, MethodDescriptor, MethodId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::fields::{Age, FieldFacts, is_final};
use super::path::{Paths, Root, Val};
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
            nests.entry(universe.program.outermost_text(method.class)).or_default().push(method);
        }
    }
    let mut found = Contents::default();
    for field in candidates {
        let near =
            nests.get(&universe.program.outermost_text(field.class)).map_or(&[][..], Vec::as_slice);
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
    let nest = universe.program.outermost_text(field.class);
    let mut near = slice.methods.iter().filter(|it| {
        !universe.is_platform(it.class) && universe.program.outermost_text(it.class) == nest
    });
    universe.program.field(field).1.access_flags.is_private()
        && near.all(|&method| put_in(universe, paths, method, field, false).is_some())
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
    let is_used = |op: &Op| match op {
        Op::GetField(it, _) | Op::PutField(it, ..) => scene.resolve_field(it) == Some(field),
        _ => false,
    };
    if !body.instructions.iter().any(|it| is_used(&it.op)) {
        return Some(Vec::new());
    }
    let values = infer_values(&scene);
    let mut tracking = Tracking {
        scene: &scene,
        values: &values,
        field,
        held: FxHashSet::default(),
        entries: FxHashSet::default(),
        asks_what,
    };
    for instruction in body.instructions.iter().filter(|it| is_used(&it.op)) {
        match instruction.op {
            Op::GetField(_, owner) if asks_what && !tracking.was_there(owner) => return None,
            Op::PutField(_, _, value) => tracking.held.extend(tracking.new_collection(value)?),
            _ => tracking.held.extend(instruction.result),
        }
    }
    tracking.spread();
    let mut made = Vec::new();
    for instruction in &body.instructions {
        made.extend(tracking.look_at(&instruction.op)?);
    }
    let leaves = body.blocks.iter().any(|block| match block.terminator {
        Terminator::Return(Some(value)) | Terminator::Throw(value) => tracking.is_of_it(value),
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
    field: FieldId,
    held: FxHashSet<Value>,
    /// Those through which a map's values can be set: its entries, and what gives them.
    entries: FxHashSet<Value>,
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

    /// The collection that is made for the field, if any is; `None` if it may come from elsewhere.
    fn new_collection(&self, value: Value) -> Option<Option<Value>> {
        let body = self.body();
        let made = body.instructions.iter().find(|it| it.result == Some(value));
        match made.map(|it| it.op) {
            Some(Op::New(_)) => Some(Some(value)),
            Some(Op::Const(program::ir::Const::Null)) => Some(None),
            _ => None,
        }
    }

    /// Whether the value is the collection or a part of it.
    fn is_of_it(&self, value: Value) -> bool {
        self.held.contains(&value) || self.entries.contains(&value)
    }

    fn spread(&mut self) {
        let body = self.scene.body;
        let mut before = 0;
        while before < self.held.len() + self.entries.len() {
            before = self.held.len() + self.entries.len();
            for instruction in &body.instructions {
                let Some(result) = instruction.result else { continue };
                match instruction.op {
                    Op::CheckCast(_, value) => self.follow(value, result),
                    Op::Invoke { method, arguments, .. } => {
                        self.follow_call(&method, body.list(arguments), result);
                    }
                    _ => {}
                }
            }
            for block in &body.blocks {
                let mut flow = |edge: program::ir::Edge, skip: usize| {
                    let parameters = body.list(body.block(edge.target).parameters);
                    let pairs = parameters[skip..].iter().zip(body.list(edge.arguments));
                    pairs.for_each(|(&parameter, &argument)| self.follow(argument, parameter));
                };
                body.for_each_successor(block, |edge| flow(edge, 0));
                body.handlers_of(block).iter().for_each(|it| flow(it.edge, 1));
            }
        }
    }

    /// One value is another under a second name.
    fn follow(&mut self, from: Value, to: Value) {
        for known in [&mut self.held, &mut self.entries] {
            if known.contains(&from) {
                known.insert(to);
            }
        }
    }

    /// What a call on the collection gives: a view, an iterator, or an entry that can be set.
    fn follow_call(&mut self, method: &MethodRef, arguments: &[Value], result: Value) {
        let Some(&receiver) = arguments.first().filter(|it| self.is_of_it(**it)) else { return };
        let is_of_entry = self.entries.contains(&receiver) && !self.is_entry(method);
        if is_of_entry || self.gives_entries(method) {
            self.entries.insert(result);
        } else if self.held.contains(&receiver) && self.is_container(result) {
            self.held.insert(result);
        }
    }

    fn is_entry(&self, method: &MethodRef) -> bool {
        self.scene.universe.program.names.bytes(method.class) == ENTRY
    }

    /// Whether entries of a map are among what the method gives, by its signature.
    fn gives_entries(&self, method: &MethodRef) -> bool {
        let Some(id) = self.scene.resolve(method).0 else { return true };
        let signature = self.signature(id);
        let text = signature.unwrap_or(self.scene.universe.program.names.bytes(method.descriptor));
        let given = text.split(|&it| it == b')').nth(1).unwrap_or_default();
        given.windows(ENTRY.len()).any(|it| it == ENTRY)
    }

    /// The generic signature of a method, if it has one.
    fn signature(&self, method: MethodId) -> Option<&[u8]> {
        let (class, _): (&Class, _) = self.scene.universe.program.method(method);
        let declared = class.file.methods.get(method.index())?;
        Some(class.file.bytes(declared.signature(&class.file).ok()??))
    }

    fn is_container(&self, value: Value) -> bool {
        let class = self.values.of(value).and_then(|it| it.class);
        class.is_some_and(|it| self.scene.universe.is_container(it))
    }

    /// What the instruction puts in; `None` if it may be anything.
    fn look_at(&self, op: &Op) -> Option<Vec<Made>> {
        let body = self.body();
        let mut uses = false;
        op.for_each_operand(body, |value| uses |= self.is_of_it(value));
        match op {
            Op::Invoke { kind, method, arguments } if uses => {
                self.called(*kind, method, body.list(*arguments))
            }
            Op::Invoke { .. } => Some(Vec::new()),
            Op::CheckCast(..) | Op::InstanceOf(..) | Op::MonitorEnter(_) | Op::MonitorExit(_) => {
                Some(Vec::new())
            }
            // Another collection may be put there, but not this one elsewhere.
            Op::PutField(field, _, value) => {
                let is_there = self.scene.resolve_field(field) == Some(self.field);
                (is_there || !self.is_of_it(*value)).then(Vec::new)
            }
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
        let is_handed_on = given.iter().any(|it| self.is_of_it(*it));
        if kind == InvokeKind::Static || !is_library || is_handed_on || !self.is_of_it(receiver) {
            return None;
        }
        let is_ref = |it: &Value| self.body().kind(*it) == program::Kind::Ref;
        let n_given = given.iter().filter(|it| is_ref(it)).count();
        if n_given == 0 || !self.asks_what {
            return Some(Vec::new());
        }
        // What is called with entries may set them.
        if self.entries.contains(&receiver) {
            return None;
        }
        let keeps = self.keeps(id)?;
        let mut made = Vec::new();
        for (&value, kept) in given.iter().zip(keeps).filter(|(it, _)| is_ref(it)) {
            match kept {
                Kept::Nothing => {}
                Kept::Itself | Kept::Anything if self.is_text(value) => {}
                Kept::Itself => made.extend(self.made_here(value)?),
                Kept::Anything => return None,
            }
        }
        Some(made)
    }

    /// What the method keeps of each argument; `None` if its types cannot be read.
    fn keeps(&self, method: MethodId) -> Option<Vec<Kept>> {
        let program = self.scene.universe.program;
        let (class, declared): (&Class, _) = program.method(method);
        let descriptor = program.names.bytes(declared.descriptor);
        let n_parameters = MethodDescriptor::parse(descriptor)?.parameters().count();
        let of_class = class.file.signature().ok().flatten();
        let is_generic = of_class.is_some_and(|it| class.file.bytes(it).starts_with(b"<"));
        match self.signature(method) {
            Some(text) if is_generic => {
                let keeps: Vec<Kept> = parameters(text).into_iter().map(kept_of).collect();
                (keeps.len() == n_parameters).then_some(keeps)
            }
            // Not of the type that is inside: asked for, as by `contains`.
            None if is_generic && !declared.access_flags.is_bridge() => {
                Some(vec![Kept::Nothing; n_parameters])
            }
            Some(_) | None => Some(vec![Kept::Itself; n_parameters]),
        }
    }

    /// Whether the value is of a type of the library that has no locks of ours, as the key of a map.
    fn is_text(&self, value: Value) -> bool {
        let universe = self.scene.universe;
        let class = self.values.of(value).and_then(|it| universe.program.class(it.class?));
        class.is_some_and(|it| universe.is_platform(it.id) && it.access_flags.is_final())
            && !self.is_container(value)
    }

    /// The allocations that the value comes from, if it certainly is a new object.
    fn made_here(&self, value: Value) -> Option<Vec<Made>> {
        let choices = self.values.choices(value);
        if choices.is_empty() || self.is_container(value) {
            return None;
        }
        choices.iter().map(|it| self.made_by(it)).collect()
    }

    fn made_by(&self, val: &Val) -> Option<Made> {
        let universe = self.scene.universe;
        let path = self.scene.paths.of(val.path);
        // What a lambda gives is something else, and what is inside of another collection too.
        let class = val.class.and_then(|it| universe.program.class(it));
        let is_object = val.exact
            && class.is_some_and(|it| {
                let is_own = !it.is_interface() && !universe.is_platform(it.id);
                is_own && !universe.is_container(it.id)
            });
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

const ENTRY: &[u8] = b"java/util/Map$Entry";

/// What a method of a collection keeps of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kept {
    Nothing,
    Itself,
    /// What is inside of it, or what it answers when it is called.
    Anything,
}

/// By the generic type of a parameter: a variable is kept itself, and what only takes such objects
/// (`Consumer<? super E>`) gives none.
fn kept_of(parameter: &[u8]) -> Kept {
    if parameter.starts_with(b"T") {
        return Kept::Itself;
    }
    let mut before = b' ';
    let mut is_in_name = false;
    for &letter in parameter {
        match letter {
            b'<' | b';' => is_in_name = false,
            b'.' => is_in_name = true,
            _ if is_in_name => {}
            b'L' => is_in_name = true,
            b'T' if before != b'-' => return Kept::Anything,
            b'T' => is_in_name = true,
            _ => {}
        }
        before = letter;
    }
    Kept::Nothing
}

/// The types of the parameters in a method's signature: `(ITE;)V` has `I` and `TE;`.
fn parameters(signature: &[u8]) -> Vec<&[u8]> {
    let start = signature.iter().position(|&it| it == b'(').map_or(signature.len(), |it| it + 1);
    let mut rest = &signature[start..];
    let mut found = Vec::new();
    while !rest.is_empty() && rest[0] != b')' {
        let dimensions = rest.iter().take_while(|&&it| it == b'[').count();
        let mut depth = 0;
        let is_named = matches!(rest.get(dimensions), Some(b'L' | b'T'));
        let end = rest[dimensions..].iter().position(|&letter| {
            match letter {
                b'<' => depth += 1,
                b'>' => depth -= 1,
                _ => {}
            }
            !is_named || letter == b';' && depth == 0
        });
        let Some(end) = end else { return found };
        let (parameter, others) = rest.split_at(dimensions + end + 1);
        found.push(parameter);
        rest = others;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Kept, kept_of, parameters};

    #[test]
    fn variables_are_told_from_names() {
        let kept = |text: &str| -> Vec<Kept> {
            parameters(text.as_bytes()).into_iter().map(kept_of).collect()
        };
        assert_eq!(kept("(TE;)Z"), [Kept::Itself]);
        assert_eq!(kept("(ITE;)V"), [Kept::Nothing, Kept::Itself]);
        assert_eq!(kept("(TK;TV;)TV;"), [Kept::Itself, Kept::Itself]);
        assert_eq!(kept("<T:Ljava/lang/Object;>([TT;)[TT;"), [Kept::Anything]);
        assert_eq!(kept("(Ljava/util/Collection<+TE;>;)Z"), [Kept::Anything]);
        assert_eq!(kept("(Ljava/util/function/UnaryOperator<TE;>;)V"), [Kept::Anything]);
        let function = "(TK;Ljava/util/function/Function<-TK;+TV;>;)TV;";
        assert_eq!(kept(function), [Kept::Itself, Kept::Anything]);
        assert_eq!(kept("(Ljava/util/function/Consumer<-TE;>;J)V"), [Kept::Nothing; 2]);
        assert_eq!(kept("(Ljava/lang/Object;)Z"), [Kept::Nothing]);
        assert_eq!(kept("(ILjava/util/Tree;)TE;"), [Kept::Nothing; 2]);
        assert_eq!(kept("(LT<*>.T;)V"), [Kept::Nothing]);
        assert_eq!(kept("()TT;"), []);
    }
}
