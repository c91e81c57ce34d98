//! The symbolic machine: a method and symbolic inputs in, guarded outcomes out, in one pass.
//!
//! States that meet are merged, so that cost follows the code and not the number of paths through it.
//! Values are terms; the heap is a history of writes over an initial heap of which only the types are
//! known; references are terms too, and aliasing is a question for whoever asks about the outcome.
//!
//! What cannot be followed is never skipped. A call to the outside returns anything, throws anything
//! and changes everything that it can reach; a loop that turns too often, or an operation without
//! meaning here, ends the path in a [`Stop`] with its guard. An outcome is exact where no stop and no
//! outside call lies in its way.

mod arithmetic;
mod asked;
mod bounds;
mod built;
mod calls;
mod cells;
mod compare;
mod contracts;
mod copied;
mod dynamic;
mod early;
mod empty_arrays;
mod equal_strings;
mod fixed;
mod flow;
mod heap;
mod history;
mod invoke;
mod lambda;
mod library;
mod loops;
mod meaning;
mod models;
mod monitors;
mod path;
mod places;
mod plain;
mod reads;
mod relate;
mod relations;
mod retyped;
mod rewritten;
mod run;
mod same_lambda;
mod same_place;
mod scene;
mod searches;
mod space;
mod statics;
mod step;
mod tables;
mod thrown;
mod types;
mod unshared;
mod visible;

use std::rc::Rc;
use std::sync::Arc;

use program::ir::{Body, Lambda, turn_self_calls};
use program::{FieldId, Kind, MethodId, Program, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Sort;
pub use smt::Term;

use crate::concrete;
pub use asked::Doubts;
pub use built::Built;
pub use compare::{Run, differ};
pub use contracts::Trust;
pub use early::Early;
pub use empty_arrays::EMPTY_ARRAYS;
pub use equal_strings::EQUAL_STRINGS;
use flow::Flow;
use heap::{Heap, Place};
pub use library::Library;
pub use loops::{Arrival, ChangedField, Cut, Form, Label, LoopPlan, Shape, Slot};
pub use path::Path;
use places::PlaceInfo;
pub use plain::Plain;
pub use reads::FieldRead;
pub use relate::{Related, relate};
pub use relations::{Accepted, Nature, Relations, Use};
pub use retyped::Retyped;
pub use rewritten::{Rewritten, TurnWrite};
pub use scene::{Scene, Seen};
pub use searches::{Search, SearchLoop};
pub use space::{Leaf, Space};
pub use thrown::thrown_differ;

/// What a run may cost. Counts only, so that the same question has the same answer everywhere.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    pub instructions: u64,
    pub terms: usize,
    pub depth: u32,
    /// How often a loop may turn on a condition that is not decided.
    pub unroll: u32,
    /// How often a method may be on the stack.
    pub recursion: u32,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { instructions: 200_000, terms: 150_000, depth: 48, unroll: 8, recursion: 6 }
    }
}

/// How calls are treated that have more than one meaning to a question.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// `equals`, `hashCode` and `compareTo` of objects of open type keep their contracts, and are
    /// functions of the object: an equivalence, a hash of its class, an order.
    pub assume_contracts: bool,
}

/// A place in the execution: how it is reached, and the heap there.
#[derive(Clone)]
pub struct State {
    pub path: Path,
    heap: Heap,
}

/// A call to the outside: what it was told, and the state in which it was made.
struct Event {
    text: String,
    arguments: Vec<Term>,
    state: State,
}

/// How a call ends, other than by a stop.
#[derive(Default)]
pub struct Outcome {
    pub returned: Option<(State, Option<Term>)>,
    pub thrown: Option<(State, Term)>,
}

/// A way through the code that was not followed to its end.
#[derive(Debug, Clone)]
pub struct Stop {
    /// When it is taken.
    pub guard: Term,
    pub kind: StopKind,
    pub reason: String,
}

/// Why a run stopped that used up its terms or its instructions.
pub const TOO_MUCH: &str = "the code computes too much to be followed for all inputs";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopKind {
    /// A loop or a recursion went on after the bound.
    Unwound,
    /// Another limit was reached.
    Budget,
    Unsupported,
}

/// The way on is closed: every state went elsewhere.
struct Dead;

type Live<T> = Result<T, Dead>;

struct Lowered {
    body: Arc<Body>,
    flow: Flow,
}

struct Closure {
    lambda: Lambda,
    captured: Vec<Term>,
}

/// Calls that cannot be followed and count as calls to the outside, which may do anything, instead of an
/// end.
#[derive(Debug, Default)]
pub struct Forgiving {
    /// So many of them.
    pub calls: u32,
    /// A call that makes more terms than this is one of them.
    pub terms: usize,
    /// The methods that were called so; those that are here from the start are not tried at all.
    pub methods: FxHashSet<MethodId>,
}

/// What ran on where the engine stopped following it.
#[derive(Debug, Default)]
pub struct Unwound {
    /// Headers of loops that turned more often than they may.
    pub loops: std::collections::BTreeSet<(MethodId, u32)>,
    /// Methods that called themselves more often than they may.
    pub calls: std::collections::BTreeSet<MethodId>,
}

pub struct Engine<'p> {
    pub program: &'p Program,
    pub space: Space,
    pub options: Options,
    /// What was not followed, in the order of arrival.
    pub stops: Vec<Stop>,
    /// What outcomes rest on, beyond the code: calls that were taken for functions, and the like.
    pub assumptions: std::collections::BTreeSet<String>,
    /// Calls to the outside, by name.
    pub outside: std::collections::BTreeSet<String>,
    /// Places of what existed at the start that runs wrote to themselves.
    pub changed: std::collections::BTreeSet<String>,
    /// Which loops are cut, and the cuts of the run so far.
    pub loops: LoopPlan,
    pub cuts: Vec<Cut>,
    /// The name of the run in symbols that it does not share with another.
    pub side: &'static str,
    pub unwound: Unwound,
    /// An object of which methods that anybody may override count as code outside.
    opened: Option<Leaf>,
    /// Methods of which calls from within are one call to the outside, by this name: the hypothesis of
    /// an induction, where another run has the same name for its own version of the method.
    pub shared_calls: FxHashMap<MethodId, String>,
    /// Methods that are not followed and of which nothing is known, not even what two runs share.
    pub barred: FxHashSet<MethodId>,
    pub forgives: Forgiving,
    /// Methods that are taken for functions instead of being followed.
    pub relations: Relations,
    /// More terms than these end the call that is followed.
    pub(super) most_terms: usize,
    /// Whether of library methods that never return null no more is asked than that.
    pub trusts_library: bool,
    pub early: Early,
    /// Whose word is not taken.
    pub doubts: Doubts,
    /// What of the platform's code is not followed.
    pub library: Library<'p>,
    /// Whether those calls are functions of their arguments that change nothing and never throw.
    pub pure_calls: bool,
    /// Whether a call of a method to itself with which it ends is a turn of a loop.
    pub turns_self_calls: bool,
    /// Where comparisons may take equal strings for the same: the conditions under which they did.
    pub equal_strings: Option<Vec<Term>>,
    /// The class whose new objects are taken note of, those objects, and the ones still under construction.
    pub watched: Option<program::ClassId>,
    pub built: Vec<Built>,
    building: Vec<Term>,
    /// The calls to the outside.
    events: Vec<Event>,
    machine: concrete::Machine<'p>,
    budget: Budget,
    instructions_left: u64,
    /// Methods that are being run, each with the depth of the path at its call.
    stack: Vec<(MethodId, u32)>,
    bodies: FxHashMap<MethodId, Option<Rc<Lowered>>>,
    places: Vec<PlaceInfo>,
    place_numbers: FxHashMap<PlaceKey, Place>,
    static_starts: FxHashMap<Place, Term>,
    numbered: types::Numbered,
    closures: Vec<Closure>,
    imported: FxHashMap<concrete::Ref, u32>,
    /// Closures by the addresses of the lambdas that initialisers made.
    imported_lambdas: FxHashMap<u64, u32>,
    /// Objects with fixed addresses that the concrete machine made.
    origins: FxHashMap<u64, concrete::Ref>,
    known_texts: FxHashMap<u64, u32>,
    /// What symbols stand for that are the elements of an array after a copy, and whose elements.
    copies: FxHashMap<Term, (u32, copied::Copied)>,
    /// What was read of arrays that existed before: the array, when, and the value.
    loaded: Vec<(Term, Term, Term)>,
    /// Searches in texts that were asked for.
    pub searches: Vec<Search>,
    /// Declared types of arrays of the start, by key.
    array_types: FxHashMap<Term, Type>,
    /// Runtime types of objects of the start that their declarations leave no choice, unless null.
    exact_types: FxHashMap<Term, u32>,
    /// The shared boxes of small values: the field, and what it holds.
    boxes: FxHashMap<Term, (Place, Term)>,
    fixed: fixed::Fixed,
    place_fields: FxHashMap<Place, FieldId>,
    /// Classes whose initialiser the two versions do not share, and the name of this one: what such a
    /// class keeps in static fields is not the same object in both.
    pub own_statics: Option<(&'static str, rustc_hash::FxHashSet<program::ClassId>)>,
    /// The classes whose overriding methods count; without one, no method is overridden.
    pub world: Option<&'p program::World>,
    models: models::Table,
    /// The methods of the platform that functions of texts and numbers stand for.
    stands_for: FxHashMap<smt::Function, (MethodId, meaning::Asked)>,
    said: models::Said,
    /// Scratch for walks over terms.
    marks: smt::Marks,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum PlaceKey {
    Field(FieldId),
    Elements(program::ir::ArrayKind),
    /// What a string says.
    Text,
    /// What a builder of strings holds.
    Built,
}

/// The machine that runs what has no unknown inputs.
fn own_machine(program: &Program) -> concrete::Machine<'_> {
    let limits = concrete::Budget { instructions: 2_000_000, ..concrete::Budget::default() };
    let mut machine = concrete::Machine::new(program, limits);
    machine.leaves_properties_open = true;
    machine
}

impl<'p> Engine<'p> {
    pub fn new(program: &'p Program, budget: Budget, options: Options) -> Engine<'p> {
        Engine::on(Space::new(), program, budget, options)
    }

    /// An engine that shares an initial heap with another, which has ended.
    pub fn on(space: Space, program: &'p Program, budget: Budget, options: Options) -> Engine<'p> {
        Engine {
            program,
            space,
            options,
            stops: Vec::new(),
            assumptions: std::collections::BTreeSet::new(),
            outside: std::collections::BTreeSet::new(),
            changed: std::collections::BTreeSet::new(),
            loops: LoopPlan::default(),
            cuts: Vec::new(),
            side: "",
            unwound: Unwound::default(),
            shared_calls: FxHashMap::default(),
            barred: FxHashSet::default(),
            forgives: Forgiving::default(),
            relations: Relations::default(),
            most_terms: budget.terms,
            trusts_library: false,
            early: Early::default(),
            doubts: Doubts::default(),
            library: Library::default(),
            pure_calls: false,
            turns_self_calls: false,
            equal_strings: None,
            watched: None,
            built: Vec::new(),
            building: Vec::new(),
            events: Vec::new(),
            machine: own_machine(program),
            budget,
            instructions_left: budget.instructions,
            stack: Vec::new(),
            bodies: FxHashMap::default(),
            places: Vec::new(),
            place_numbers: FxHashMap::default(),
            static_starts: FxHashMap::default(),
            numbered: types::Numbered::default(),
            closures: Vec::new(),
            imported_lambdas: FxHashMap::default(),
            boxes: FxHashMap::default(),
            imported: FxHashMap::default(),
            origins: FxHashMap::default(),
            known_texts: FxHashMap::default(),
            copies: FxHashMap::default(),
            loaded: Vec::new(),
            searches: Vec::new(),
            array_types: FxHashMap::default(),
            exact_types: FxHashMap::default(),
            fixed: fixed::Fixed::default(),
            place_fields: FxHashMap::default(),
            own_statics: None,
            opened: None,
            world: None,
            models: models::Table::new(program),
            stands_for: FxHashMap::default(),
            said: models::Said::default(),
            marks: smt::Marks::new(),
        }
    }

    /// The state in which a program may call anything: all inputs open.
    pub fn start(&mut self) -> State {
        let trace = self.space.terms.bitvec(64, 0);
        State { path: Path::default(), heap: Heap::new(trace) }
    }

    /// A symbolic input of a declared type. Two inputs of one name are one input.
    pub fn input(&mut self, name: &str, ty: Type) -> Term {
        let narrow = self.narrow_sort(ty);
        let symbol = self.space.symbol(name, narrow);
        self.widen(symbol, ty)
    }

    /// A new object of the class, with zeroed fields.
    pub fn new_instance(&mut self, class: program::ClassId) -> Term {
        let number = self.type_number(Type::class(self.program.class_name(class)));
        self.type_constant(number);
        self.space.allocate(number, space::FreshKind::Object)
    }

    /// Runs exactly this method; the receiver, if it has one, is the first argument.
    pub fn call(&mut self, method: MethodId, arguments: Vec<Term>, state: State) -> Outcome {
        self.instructions_left = self.budget.instructions;
        self.run_method(method, arguments, state)
    }

    /// Calls `resolved` on its first argument, whatever class that has.
    pub fn call_virtual(
        &mut self,
        resolved: MethodId,
        arguments: Vec<Term>,
        state: State,
    ) -> Outcome {
        self.instructions_left = self.budget.instructions;
        self.invoke_virtual(resolved, arguments, state)
    }

    /// Runs, of several methods, the one whose condition holds; where none does, nothing is said.
    /// The conditions exclude each other.
    pub fn call_cases(
        &mut self,
        cases: &[(Term, MethodId)],
        arguments: &[Term],
        state: &State,
    ) -> Outcome {
        self.instructions_left = self.budget.instructions;
        let mut outcome = Outcome::default();
        let guard = self.guard(state);
        if self.space.terms.is_false(guard) {
            return outcome;
        }
        for &(condition, method) in cases {
            if state.path.decide(&self.space, condition) == Some(false) {
                continue;
            }
            let mut here = state.clone();
            here.path = here.path.and(&self.space.terms, condition);
            let one = self.run_method(method, arguments.to_vec(), here);
            self.join(&mut outcome, one);
        }
        outcome
    }

    /// Whether no call to the outside lies between two states.
    pub fn is_undisturbed(&self, before: &State, after: &State) -> bool {
        before.heap.trace == after.heap.trace
    }

    /// A state in which a condition holds too.
    pub fn assume(&mut self, state: &mut State, condition: Term) {
        state.path = state.path.and(&self.space.terms, condition);
    }

    /// The term of the path of a state.
    pub fn guard(&mut self, state: &State) -> Term {
        state.path.term(&mut self.space.terms)
    }

    /// Whether a run has written anything, or called code outside, by this state.
    pub fn has_effects(&mut self, state: &State) -> bool {
        let start = self.start();
        state.heap.trace != start.heap.trace || !state.heap.changes(&start.heap).is_empty()
    }

    /// The condition under which a run was not followed to its end, for the kinds that `counts`.
    pub fn stopped(&mut self, since: usize, counts: impl Fn(StopKind) -> bool) -> Term {
        let guards: Vec<Term> =
            self.stops[since..].iter().filter(|stop| counts(stop.kind)).map(|s| s.guard).collect();
        self.space.terms.or(&guards)
    }

    pub fn is_null(&mut self, reference: Term) -> Term {
        self.space.is_null(reference)
    }

    /// Says that the object of an input has a runtime type that is `ty` or below it.
    pub fn instance_of(&mut self, reference: Term, ty: Type) -> Option<Term> {
        self.is_instance(reference, ty)
    }

    fn stop(&mut self, state: &State, kind: StopKind, reason: impl Into<String>) {
        let guard = state.path.term(&mut self.space.terms);
        if !self.space.terms.is_false(guard) {
            self.stops.push(Stop { guard, kind, reason: reason.into() });
        }
    }

    fn unsupported<T>(&mut self, state: &State, reason: impl Into<String>) -> Live<T> {
        self.stop(state, StopKind::Unsupported, reason);
        Err(Dead)
    }

    /// The sort that values of a kind have on the operand stack.
    fn kind_sort(kind: Kind) -> Sort {
        match kind {
            Kind::Int | Kind::Ref => Sort::BitVec(32),
            Kind::Long => Sort::BitVec(64),
            Kind::Float => Sort::Float32,
            Kind::Double => Sort::Float64,
        }
    }

    fn merge_states(&mut self, one: &State, two: &State) -> (State, Term) {
        let (path, condition) = one.path.merge(&two.path, &mut self.space.terms);
        let (mut starts, space) = self.starts();
        let heap = one.heap.merge(&two.heap, condition, space, &mut starts);
        (State { path, heap }, condition)
    }

    fn merge_returned(&mut self, outcome: &mut Outcome, state: State, value: Option<Term>) {
        outcome.returned = Some(match outcome.returned.take() {
            None => (state, value),
            Some((before, held)) => {
                let (merged, condition) = self.merge_states(&before, &state);
                let value = match (held, value) {
                    (Some(one), Some(two)) => Some(self.space.terms.ite(condition, one, two)),
                    (_, _) => None,
                };
                (merged, value)
            }
        });
    }

    fn merge_thrown(&mut self, outcome: &mut Outcome, state: State, exception: Term) {
        outcome.thrown = Some(match outcome.thrown.take() {
            None => (state, exception),
            Some((before, held)) => {
                let (merged, condition) = self.merge_states(&before, &state);
                (merged, self.space.terms.ite(condition, held, exception))
            }
        });
    }

    /// Text for messages: `java.lang.String.length()I`.
    fn method_text(&self, method: MethodId) -> String {
        let (class, declared) = self.program.method(method);
        let names = &self.program.names;
        let (name, descriptor) = (names.text(declared.name), names.text(declared.descriptor));
        format!("{}.{name}{descriptor}", self.program.class_text(class.name))
    }

    /// The body with its last calls of itself as jumps, where that is wanted and possible.
    fn turned(&self, method: MethodId, body: &Body) -> Option<Body> {
        let (class, declared) = self.program.method(method);
        let flags = declared.access_flags;
        let is_fixed = flags.is_static() || flags.is_private() || flags.is_final();
        if !self.turns_self_calls || !is_fixed || flags.is_synchronized() {
            return None;
        }
        let is_boolean = self.program.names.bytes(declared.descriptor).ends_with(b")Z");
        turn_self_calls(body, is_boolean, |_, called| {
            called.class == class.name
                && called.name == declared.name
                && called.descriptor == declared.descriptor
        })
    }

    fn lowered(&mut self, method: MethodId) -> Result<Option<Rc<Lowered>>, String> {
        if let Some(body) = self.bodies.get(&method) {
            return Ok(body.clone());
        }
        let body = self.program.body(method).map_err(|error| error.to_string())?;
        let lowered = body.map(|body| {
            let body = self.turned(method, &body).map_or(body, Arc::new);
            let flow = Flow::new(&body);
            Rc::new(Lowered { body, flow })
        });
        self.bodies.insert(method, lowered.clone());
        Ok(lowered)
    }
}
