//! Walks a body in one world after the other.

use program::Kind;
use program::ir::{
    BinaryOp, Block, BlockId, Condition, Const, Edge, Instruction, InvokeKind, MethodRef, Op,
    Terminator, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::code::Code;
use super::moments::{Moment, Places, collect};
use super::{
    COMPARISONS, Comparison, Key, Object, Relation, Seen, Situations, Worlds, relation_in,
};
use crate::locks::facts::SiteSet;
use crate::locks::path::{Root, Step, Val};
use crate::locks::values::{Scene, Values, extend};

use super::terms::{NUMBERS, ORDERED, TEXTS, holds, is_of_enum, relation_of, sole_body};

/// What is computed of a key and a number is a key as well, though not one that tells objects apart.
fn computed(op: BinaryOp, left: Known, right: Known) -> Known {
    match (left, right) {
        (Known::Key(object, Key::Field(field)), Known::Int(number)) => {
            Known::Key(object, Key::Computed(Some(field), op, number))
        }
        (Known::Key(object, Key::IdentityHash), Known::Int(number)) => {
            Known::Key(object, Key::Computed(None, op, number))
        }
        _ => Known::Nothing,
    }
}

/// What a value is on one way through a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Known {
    Object(Seen),
    Key(Object, Key),
    Int(i32),
    /// The result of a comparison: only its sign is known.
    Sign(Relation),
    Nothing,
}

/// The values that block parameters have on the way walked.
type Bindings = Vec<(Value, Known)>;

/// The walk through all worlds of one body.
struct Walk {
    comparisons: Vec<Comparison<Object>>,
    world: usize,
    /// Whether comparisons that are met for the first time are noted.
    gathers: bool,
    /// Whether it is told apart which objects are one.
    asks_identity: bool,
    steps: usize,
}

/// Blocks that are walked for one body, in all worlds together.
const STEPS: usize = 4_000;
/// Callees of callees.
const CALLS: usize = 2;

/// The situations of a body; none if nothing is told apart, or if it is too large.
pub(crate) fn find_situations(
    scene: &Scene<'_>,
    values: &Values,
    places: &Places<'_>,
) -> Situations {
    let code = Code::new(scene, Some(values));
    let mut walk =
        Walk { comparisons: Vec::new(), world: 0, gathers: true, asks_identity: false, steps: 0 };
    let mut found: FxHashMap<Moment, Worlds> = FxHashMap::default();
    if !walk.gather(&code, places) {
        return Situations::default();
    }
    if walk.comparisons.is_empty() && code.compares_references() {
        (walk.gathers, walk.asks_identity) = (true, true);
        if !walk.gather(&code, places) {
            return Situations::default();
        }
    }
    let n_comparisons = walk.comparisons.len();
    for world in 0..Worlds::count(n_comparisons) {
        walk.world = world;
        let mut note = |walk: &mut Walk, bindings: &Bindings, number: u32, it: &Instruction| {
            if let Some(held) = places.held.get(&number) {
                let moment = walk.moment(&code, bindings, places.sites, *held, it);
                found.entry(moment).or_default().insert(world);
            }
        };
        if !walk.run(&code, Vec::new(), 0, &mut note, &mut |_| {}) {
            return Situations::default();
        }
    }
    collect(walk.comparisons, found)
}

impl Walk {
    /// Finds all comparisons. Which objects are compared may depend on what others said before, so each
    /// world of those that are known is walked until none has news.
    fn gather(&mut self, code: &Code<'_>, places: &Places<'_>) -> bool {
        let mut look = |walk: &mut Walk, bindings: &Bindings, number: u32, it: &Instruction| {
            if let Some(held) = places.held.get(&number) {
                walk.moment(code, bindings, places.sites, *held, it);
            }
        };
        let mut world = 0;
        while world < Worlds::count(self.comparisons.len()) {
            let known = self.comparisons.len();
            self.world = world;
            if !self.run(code, Vec::new(), 0, &mut look, &mut |_| {}) {
                return false;
            }
            world = if self.comparisons.len() > known { 0 } else { world + 1 };
        }
        self.gathers = false;
        self.steps = 0;
        true
    }

    /// Walks every way through the body that the world leaves open. False if there are too many.
    fn run(
        &mut self,
        code: &Code<'_>,
        start: Bindings,
        depth: usize,
        each: &mut dyn FnMut(&mut Walk, &Bindings, u32, &Instruction),
        returned: &mut dyn FnMut(Known),
    ) -> bool {
        let body = code.body();
        let Some(first) = body.block_ids().next() else { return true };
        let mut seen: FxHashSet<(BlockId, Bindings)> = FxHashSet::default();
        let mut ways = vec![(first, start)];
        while let Some((id, bindings)) = ways.pop() {
            if !seen.insert((id, bindings.clone())) {
                continue;
            }
            self.steps += 1;
            if self.steps > STEPS {
                return false;
            }
            let block = body.block(id);
            let number = body.first_instruction(block);
            for (offset, instruction) in body.instructions_of(block).iter().enumerate() {
                each(self, &bindings, number + offset as u32, instruction);
            }
            for handler in body.handlers_of(block) {
                ways.push(self.follow(code, &bindings, handler.edge, 1, depth));
            }
            if let Terminator::Return(Some(value)) = block.terminator {
                returned(self.know(code, &bindings, value, depth));
            }
            for edge in self.open_edges(code, &bindings, block, depth) {
                ways.push(self.follow(code, &bindings, edge, 0, depth));
            }
        }
        true
    }

    fn open_edges(
        &mut self,
        code: &Code<'_>,
        bindings: &Bindings,
        block: &Block,
        depth: usize,
    ) -> Vec<Edge> {
        if let Terminator::If { condition, then, otherwise } = block.terminator {
            return match self.decide(code, bindings, condition, depth) {
                Some(true) => vec![then],
                Some(false) => vec![otherwise],
                None => vec![then, otherwise],
            };
        }
        let mut edges = Vec::new();
        code.body().for_each_successor(block, |edge| edges.push(edge));
        edges
    }

    fn follow(
        &mut self,
        code: &Code<'_>,
        bindings: &Bindings,
        edge: Edge,
        skip: usize,
        depth: usize,
    ) -> (BlockId, Bindings) {
        let body = code.body();
        let parameters = body.list(body.block(edge.target).parameters);
        let arguments = body.list(edge.arguments);
        let mut next: Bindings = bindings.clone();
        next.retain(|(value, _)| !parameters.contains(value));
        for (&parameter, &argument) in parameters[skip..].iter().zip(arguments) {
            let known = self.know(code, bindings, argument, depth);
            if known != Known::Nothing {
                next.push((parameter, known));
            }
        }
        next.sort_by_key(|(value, _)| *value);
        (edge.target, next)
    }

    fn decide(
        &mut self,
        code: &Code<'_>,
        bindings: &Bindings,
        condition: Condition,
        depth: usize,
    ) -> Option<bool> {
        let (left, right) = condition.operands();
        let left = self.know(code, bindings, left, depth);
        let right = right.map(|value| self.know(code, bindings, value, depth));
        match (condition, left, right) {
            (Condition::Int(compare, ..), Known::Int(a), Some(Known::Int(b))) => {
                Some(holds(compare, relation_of(a.cmp(&b))))
            }
            (Condition::Int(compare, ..), Known::Key(..), Some(Known::Int(number))) => {
                self.relate_to(code, left, number).map(|relation| holds(compare, relation))
            }
            (Condition::IntToZero(compare, _), Known::Key(..), _) => {
                self.relate_to(code, left, 0).map(|relation| holds(compare, relation))
            }
            (Condition::Int(compare, ..), left, Some(right)) => {
                self.relate(code, left, right).map(|relation| holds(compare, relation))
            }
            (Condition::IntToZero(compare, _), Known::Int(a), _) => {
                Some(holds(compare, relation_of(a.cmp(&0))))
            }
            (Condition::IntToZero(compare, _), Known::Sign(sign), _) => Some(holds(compare, sign)),
            (Condition::SameRef(..), Known::Object(a), Some(Known::Object(b))) => {
                self.are_same(code, a.object, b.object)
            }
            (Condition::NotSameRef(..), Known::Object(a), Some(Known::Object(b))) => {
                self.are_same(code, a.object, b.object).map(|same| !same)
            }
            _ => None,
        }
    }

    /// Objects whose keys differ are two. If nothing else is compared, which objects are one is what the
    /// worlds are about.
    fn are_same(&mut self, code: &Code<'_>, a: Object, b: Object) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        if self.asks_identity {
            let key = Key::Itself;
            let relation = self.relate(code, Known::Key(a, key), Known::Key(b, key));
            return relation.map(|it| it == Relation::Equal);
        }
        let world = self.world;
        let differs = |(index, it): (usize, &Comparison<Object>)| {
            (it.left, it.right) == (a, b) && relation_in(world, index) != Relation::Equal
                || (it.left, it.right) == (b, a) && relation_in(world, index) != Relation::Equal
        };
        self.comparisons.iter().enumerate().any(differs).then_some(false)
    }

    /// How a field compares to a number: the same each time, for one object.
    fn relate_to(&mut self, code: &Code<'_>, left: Known, number: i32) -> Option<Relation> {
        let Known::Key(object, Key::Field(field)) = left else { return None };
        if !code.scene.universe.program.field(field).1.access_flags.is_final() {
            return None;
        }
        let key = Key::Against(field, number);
        // What every thread means by the number is one thing: the class stands for it.
        let fixed = Object::Path(code.scene.paths.root(Root::Class(field.class)));
        self.relate(code, Known::Key(object, key), Known::Key(fixed, key))
    }

    fn relate(&mut self, code: &Code<'_>, left: Known, right: Known) -> Option<Relation> {
        let (Known::Key(a, key), Known::Key(b, other)) = (left, right) else { return None };
        if key != other || !code.is_fixed(key) {
            return None;
        }
        if a == b {
            return Some(Relation::Equal);
        }
        for (index, it) in self.comparisons.iter().enumerate().filter(|(_, it)| it.key == key) {
            if (it.left, it.right) == (a, b) {
                return Some(relation_in(self.world, index));
            }
            if (it.left, it.right) == (b, a) {
                return Some(relation_in(self.world, index).flipped());
            }
        }
        if self.gathers && self.comparisons.len() < COMPARISONS {
            self.comparisons.push(Comparison { left: a, right: b, key });
        }
        None
    }

    fn know(&mut self, code: &Code<'_>, bindings: &Bindings, value: Value, depth: usize) -> Known {
        if let Ok(at) = bindings.binary_search_by_key(&value, |(value, _)| *value) {
            return bindings[at].1;
        }
        let Some(op) = code.definitions[value.index()] else { return code.object(value) };
        let known = match op {
            Op::Const(Const::Int(number)) => Known::Int(number),
            Op::Binary(BinaryOp::CompareLong, left, right) => {
                self.compare(code, bindings, left, right, depth)
            }
            Op::Binary(op, left, right) => {
                let left = self.know(code, bindings, left, depth);
                computed(op, left, self.know(code, bindings, right, depth))
            }
            Op::GetField(field, object) => self.field(code, bindings, &field, object, depth),
            Op::CheckCast(_, value) => self.know(code, bindings, value, depth),
            Op::Invoke { kind, method, arguments } => {
                let arguments = code.body().list(arguments).to_vec();
                self.call(code, bindings, (kind, &method), &arguments, depth)
            }
            Op::Const(_)
            | Op::Unary(..)
            | Op::New(_)
            | Op::NewArray { .. }
            | Op::NewMultiArray { .. }
            | Op::ArrayLength(_)
            | Op::ArrayLoad { .. }
            | Op::ArrayStore { .. }
            | Op::GetStatic(_)
            | Op::PutStatic(..)
            | Op::PutField(..)
            | Op::InvokeDynamic { .. }
            | Op::InstanceOf(..)
            | Op::MonitorEnter(_)
            | Op::MonitorExit(_) => Known::Nothing,
        };
        match known {
            Known::Nothing if code.body().kind(value) == Kind::Ref => code.object(value),
            known => known,
        }
    }

    fn compare(
        &mut self,
        code: &Code<'_>,
        bindings: &Bindings,
        left: Value,
        right: Value,
        depth: usize,
    ) -> Known {
        let left = self.know(code, bindings, left, depth);
        let right = self.know(code, bindings, right, depth);
        self.relate(code, left, right).map_or(Known::Nothing, Known::Sign)
    }

    /// A field: of a number its key, of an object the next object if it is final.
    fn field(
        &mut self,
        code: &Code<'_>,
        bindings: &Bindings,
        field: &program::ir::FieldRef,
        object: Value,
        depth: usize,
    ) -> Known {
        let Known::Object(seen) = self.know(code, bindings, object, depth) else {
            return Known::Nothing;
        };
        let Some(id) = code.scene.resolve_field(field) else { return Known::Nothing };
        let universe = code.scene.universe;
        let descriptor = universe.program.names.bytes(field.descriptor);
        let is_key = matches!(descriptor, b"I" | b"J" | b"S" | b"B" | b"C" | b"Z")
            || ORDERED.contains(&descriptor);
        let is_final = universe.program.field(id).1.access_flags.is_final();
        match is_key {
            // Whether it never changes is asked where it is compared with that of another object.
            true => Known::Key(seen.object, Key::Field(id)),
            false if !is_final => Known::Nothing,
            false => {
                let Object::Path(path) = seen.object else { return Known::Nothing };
                let class = crate::locks::values::class_of_descriptor(universe, descriptor);
                match extend(code.scene.paths, path, Step::Field(id)) {
                    Some(path) => Known::Object(Seen {
                        object: Object::Path(path),
                        val: Val { path, class, exact: false },
                    }),
                    None => Known::Nothing,
                }
            }
        }
    }

    fn call(
        &mut self,
        code: &Code<'_>,
        bindings: &Bindings,
        (kind, method): (InvokeKind, &MethodRef),
        arguments: &[Value],
        depth: usize,
    ) -> Known {
        let names = &code.scene.universe.program.names;
        let class = names.bytes(method.class);
        let name = names.bytes(method.name);
        match (kind, class, name, arguments) {
            (InvokeKind::Static, b"java/lang/System", b"identityHashCode", &[object]) => {
                match self.know(code, bindings, object, depth) {
                    Known::Object(seen) => Known::Key(seen.object, Key::IdentityHash),
                    _ => Known::Nothing,
                }
            }
            (InvokeKind::Virtual, _, b"ordinal", &[object]) if is_of_enum(code.scene, method) => {
                match self.know(code, bindings, object, depth) {
                    Known::Object(seen) => Known::Key(seen.object, Key::Ordinal(method.class)),
                    _ => Known::Nothing,
                }
            }
            (InvokeKind::Virtual, _, b"compareTo", &[left, right])
                if is_of_enum(code.scene, method) =>
            {
                let key = Key::Ordinal(method.class);
                self.compare_by(code, bindings, key, [left, right], depth)
            }
            (InvokeKind::Static, _, b"compare", &[left, right]) if NUMBERS.contains(&class) => {
                self.compare(code, bindings, left, right, depth)
            }
            (InvokeKind::Virtual | InvokeKind::Interface, _, b"compareTo", &[left, right])
                if TEXTS.contains(&class) =>
            {
                self.compare(code, bindings, left, right, depth)
            }
            _ => match self.call_body(code, bindings, (kind, method), arguments, depth) {
                Known::Nothing => self.ask(code, bindings, method, arguments, depth),
                known => known,
            },
        }
    }

    /// What a method says about two objects that by its name compares them.
    fn ask(
        &mut self,
        code: &Code<'_>,
        bindings: &Bindings,
        method: &MethodRef,
        arguments: &[Value],
        depth: usize,
    ) -> Known {
        let names = &code.scene.universe.program.names;
        let is_order = matches!(names.bytes(method.name), b"compare" | b"compareTo")
            && names.bytes(method.descriptor).ends_with(b")I");
        // Every object may have a comparator of its own; a static one is the same for all.
        let is_shared = |value: Value| {
            let val = code.values.and_then(|values| values.of(value));
            val.is_some_and(|it| matches!(code.scene.paths.of(it.path).root, Root::Static(_)))
        };
        let (left, right) = match *arguments {
            [left, right] if is_order => (left, right),
            [order, left, right] if is_order && is_shared(order) => (left, right),
            _ => return Known::Nothing,
        };
        let key = Key::Said(method.class, method.name);
        self.compare_by(code, bindings, key, [left, right], depth)
    }

    /// The order of two objects by a key that each of them has.
    fn compare_by(
        &mut self,
        code: &Code<'_>,
        bindings: &Bindings,
        key: Key,
        objects: [Value; 2],
        depth: usize,
    ) -> Known {
        let [left, right] = objects.map(|it| match self.know(code, bindings, it, depth) {
            Known::Object(seen) => Known::Key(seen.object, key),
            Known::Key(object, _) => Known::Key(object, key),
            Known::Int(_) | Known::Sign(_) | Known::Nothing => Known::Nothing,
        });
        self.relate(code, left, right).map_or(Known::Nothing, Known::Sign)
    }

    /// A call of a body that nobody can override, walked in the same world.
    fn call_body(
        &mut self,
        code: &Code<'_>,
        bindings: &Bindings,
        (kind, method): (InvokeKind, &MethodRef),
        arguments: &[Value],
        depth: usize,
    ) -> Known {
        if depth >= CALLS {
            return Known::Nothing;
        }
        let Some(id) = sole_body(code.scene, kind, method) else { return Known::Nothing };
        let universe = code.scene.universe;
        let Ok(Some(body)) = universe.program.lower(id) else { return Known::Nothing };
        const BLOCKS: usize = 24;
        if body.blocks.len() > BLOCKS {
            return Known::Nothing;
        }
        let mut start: Bindings = Vec::new();
        for (parameter, &argument) in body.parameters().zip(arguments) {
            let known = self.know(code, bindings, argument, depth);
            if known != Known::Nothing {
                start.push((parameter, known));
            }
        }
        if !start.iter().any(|(_, known)| matches!(known, Known::Object(_) | Known::Key(..))) {
            return Known::Nothing;
        }
        let scene = Scene::new(universe, code.scene.paths, id, &body);
        let callee = Code::new(&scene, None);
        let mut result: Option<Known> = None;
        let mut returned = |known: Known| {
            result = Some(match result {
                Some(other) if other != known => Known::Nothing,
                _ => known,
            });
        };
        let is_done = self.run(&callee, start, depth + 1, &mut |_, _, _, _| {}, &mut returned);
        result.filter(|_| is_done).unwrap_or(Known::Nothing)
    }

    /// What is held and given where this instruction runs.
    fn moment(
        &mut self,
        code: &Code<'_>,
        bindings: &Bindings,
        sites: &[Option<Value>],
        held: SiteSet,
        instruction: &Instruction,
    ) -> Moment {
        let mut seen = |value: Value| match self.know(code, bindings, value, 0) {
            Known::Object(seen) => Some(seen),
            Known::Key(..) | Known::Int(_) | Known::Sign(_) | Known::Nothing => None,
        };
        let held = held
            .iter()
            .filter_map(|site| Some((site as u8, seen((*sites.get(site)?)?)?)))
            .collect();
        let mut given = Vec::new();
        instruction.op.for_each_operand(code.body(), |value| given.push(seen(value)));
        Moment { pc: instruction.pc, held, given: given.into() }
    }
}
