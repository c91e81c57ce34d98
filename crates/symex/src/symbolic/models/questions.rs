//! Questions to objects of the library's interfaces, where two runs are compared: the length of a sequence, the
//! size and the elements of a collection, what a map holds. By their documentation they only answer. Each is a
//! function of the object, of the arguments and of all that code outside can see, so that versions may ask in
//! another order, or more often. Whoever proves by it says that it is assumed.
//!
//! A version that asks in a heap that the other does not have gets another answer; where it is not said what
//! code outside can see (new objects are known to it, or a loop changes fields), the call counts as any other.

use std::rc::Rc;

use program::{Class, MethodId, Program, Role, Type};
use smt::{Sort, Term};

use crate::symbolic::calls::returned;
use crate::symbolic::history::History;
use crate::symbolic::space::{KEY, Leaf, TRACE};
use crate::symbolic::{Engine, Outcome, State};

/// What is asked. None of the answers depends on how often, or by which interface.
#[derive(Clone, Copy)]
enum Question {
    Size,
    IsEmpty,
    /// The element at an index, which is there if the index is below the size.
    At,
    /// A part of an object, which it always has.
    Part,
    /// Whether a collection holds an object.
    Holds,
    /// What a map has for a key, whether it has it, and either that or something else.
    Get,
    HasKey,
    GetOrElse,
}

/// A type, with what its methods ask, by name and descriptor.
type Owned = (&'static str, &'static [(&'static str, &'static str, Question)]);

/// Types, with what their methods ask. What any object is asked (`equals`, `toString`) is not here: classes
/// answer that as they like, and not all of them as documented.
const QUESTIONS: &[Owned] = &[
    (
        "java/lang/CharSequence",
        &[
            ("length", "()I", Question::Size),
            ("isEmpty", "()Z", Question::IsEmpty),
            ("charAt", "(I)C", Question::At),
        ],
    ),
    (
        "java/util/Collection",
        &[
            ("size", "()I", Question::Size),
            ("isEmpty", "()Z", Question::IsEmpty),
            ("contains", "(Ljava/lang/Object;)Z", Question::Holds),
        ],
    ),
    ("java/util/List", &[("get", "(I)Ljava/lang/Object;", Question::At)]),
    (
        "java/util/Map",
        &[
            ("size", "()I", Question::Size),
            ("isEmpty", "()Z", Question::IsEmpty),
            ("get", "(Ljava/lang/Object;)Ljava/lang/Object;", Question::Get),
            ("containsKey", "(Ljava/lang/Object;)Z", Question::HasKey),
            (
                "getOrDefault",
                "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
                Question::GetOrElse,
            ),
        ],
    ),
    (
        "java/util/Map$Entry",
        &[
            ("getKey", "()Ljava/lang/Object;", Question::Part),
            ("getValue", "()Ljava/lang/Object;", Question::Part),
        ],
    ),
    (
        "java/lang/Number",
        &[
            ("byteValue", "()B", Question::Part),
            ("doubleValue", "()D", Question::Part),
            ("floatValue", "()F", Question::Part),
            ("intValue", "()I", Question::Part),
            ("longValue", "()J", Question::Part),
            ("shortValue", "()S", Question::Part),
        ],
    ),
];

/// What a method of the library asks, and the type that says so.
fn question(program: &Program, method: MethodId) -> Option<(&'static str, Question)> {
    let (class, declared) = program.method(method);
    let names = &program.names;
    if program.role(class.id) != Role::Platform
        || declared.access_flags.is_static()
        || !only_answers(&names.text(class.name))
    {
        return None;
    }
    let (name, descriptor) = (names.text(declared.name), names.text(declared.descriptor));
    QUESTIONS.iter().find_map(|(owner, questions)| {
        let &(.., asked) =
            questions.iter().find(|(known, form, _)| *known == &*name && *form == &*descriptor)?;
        is_below(program, class, owner).then_some((*owner, asked))
    })
}

/// Of whose objects a question moves something on, if it is asked by that name: maps that keep the order in
/// which they were asked, that lose what nobody else holds, or that other threads change meanwhile.
fn only_answers(class: &str) -> bool {
    !class.starts_with("java/util/concurrent/")
        && !matches!(class, "java/util/LinkedHashMap" | "java/util/WeakHashMap")
}

fn is_below(program: &Program, class: &Class, owner: &str) -> bool {
    program.find_class_text(owner).is_some_and(|it| program.is_subtype(class.id, it) == Some(true))
}

impl Engine<'_> {
    /// What a question to an object that existed at the start gives, in either of two runs.
    pub(in crate::symbolic) fn asked_alike(
        &mut self,
        method: MethodId,
        arguments: &[Term],
        state: &State,
    ) -> Option<Outcome> {
        if self.side.is_empty() {
            return None;
        }
        let (owner, asked) = question(self.program, method)?;
        // Which of its own methods the receiver calls is seen by those that override them.
        let leaves = self.space.leaves(arguments[0])?;
        let is_old = |leaf| !matches!(leaf, Leaf::Fresh(_)) && self.opened != Some(leaf);
        if !leaves.iter().all(|&(_, leaf)| is_old(leaf)) {
            return None;
        }
        let moment = self.moment(state, arguments)?;
        let (_, declared) = self.program.method(method);
        let name = self.program.names.text(declared.name).into_owned();
        let shown = owner.replace('/', ".");
        self.assumptions.insert(format!(
            "of objects that others made, as {shown}, {name}() changes nothing, answers as documented, and \
             answers the same while nothing is changed"
        ));
        // A collection asks its elements whether they are equal, and these may be of a class that changed: as of
        // any code outside, the proof says that it does the same for both versions.
        let text = self.method_text(method);
        self.outside.insert(text);
        let said = [arguments[0], moment];
        Some(match asked {
            Question::Size => {
                let size = self.size_said(&said);
                returned(state.clone(), Some(size))
            }
            Question::IsEmpty => {
                let (size, zero) = (self.size_said(&said), self.space.terms.int(0));
                let is_empty = self.space.terms.eq(size, zero);
                let value = self.boolean(is_empty);
                returned(state.clone(), Some(value))
            }
            Question::Part => {
                let value = self.answer(method, &format!("asked {name}"), &said)?;
                returned(state.clone(), Some(value))
            }
            Question::At => self.element_said(method, arguments[1], &said, state)?,
            Question::Holds => {
                let keyed = [said[0], arguments[1], moment];
                let holds = self.space.apply("asked contains", &keyed, Sort::Bool);
                let value = self.boolean(holds);
                self.or_refused("contains", &keyed, state, value)
            }
            Question::Get | Question::HasKey | Question::GetOrElse => {
                let keyed = [said[0], arguments[1], moment];
                let value = self.held_by_map(asked, &keyed, arguments)?;
                self.or_refused("lookup", &keyed, state, value)
            }
        })
    }

    /// All that code outside can see before a question, as one term; nothing where that is not said. New objects
    /// have a number in each run, which says nothing to the other.
    fn moment(&mut self, state: &State, arguments: &[Term]) -> Option<Term> {
        // At its header, what a loop changes is a symbol for all its turns.
        let changes_places = |cut: &crate::symbolic::Cut| {
            !cut.shape.places.is_empty() || !cut.shape.statics.is_empty()
        };
        if self.cuts.iter().any(changes_places) || !self.escaped(state, arguments).is_empty() {
            return None;
        }
        let mut trace = state.heap.trace;
        let mut written = Vec::new();
        for place in 0..self.places.len() as u32 {
            let Some(history) = state.heap.writes(place) else { continue };
            written.push((self.places[place as usize].name().to_owned(), history.clone()));
        }
        written.sort_by(|one, two| one.0.cmp(&two.0));
        for (_, history) in &written {
            // A history of several starts does not say which it is.
            let start = start_of(history, &mut MOST_BRANCHES.clone())?;
            let term = start.unwrap_or_else(|| self.space.terms.bitvec(64, 0));
            trace = self.space.apply("asked after", &[trace, term], TRACE);
        }
        let seen = self.visible_trace(state, &[]);
        let unchanged = self.space.terms.bitvec(64, 0);
        Some(match trace == unchanged && seen == unchanged {
            true => unchanged,
            false => self.space.apply("asked when", &[trace, seen], TRACE),
        })
    }

    fn size_said(&mut self, said: &[Term]) -> Term {
        let size = self.space.apply("asked size", said, Sort::BitVec(32));
        let zero = self.space.terms.int(0);
        let some = self.space.terms.sle(zero, size);
        self.space.assume(some);
        size
    }

    /// A value of the type that the method declares, under a name.
    fn answer(&mut self, method: MethodId, name: &str, said: &[Term]) -> Option<Term> {
        let (_, declared) = self.program.method(method);
        let names = &self.program.names;
        let descriptor = program::MethodDescriptor::parse(names.bytes(declared.descriptor))?;
        let ty = descriptor.result_type(names)?;
        let sort = self.narrow_sort(ty);
        let value = self.space.apply(name, said, sort);
        Some(self.widen(value, ty))
    }

    /// An index is refused if it is below zero, or not below the size.
    fn element_said(
        &mut self,
        method: MethodId,
        index: Term,
        said: &[Term],
        state: &State,
    ) -> Option<Outcome> {
        let size = self.size_said(said);
        let keyed = [said[0], index, said[1]];
        let value = self.answer(method, "asked element", &keyed)?;
        let is_there = self.space.terms.ult(index, size);
        let refused = self.space.terms.not(is_there);
        let out_of_bounds = self.program.names.intern(b"java/lang/IndexOutOfBoundsException");
        Some(self.unless(refused, ("element", out_of_bounds), &keyed, state, value))
    }

    fn held_by_map(&mut self, asked: Question, keyed: &[Term], arguments: &[Term]) -> Option<Term> {
        let has = self.space.apply("asked has key", keyed, Sort::Bool);
        if matches!(asked, Question::HasKey) {
            return Some(self.boolean(has));
        }
        let key = self.space.apply("asked get", keyed, KEY);
        let held = self.space.input(key);
        let null = self.space.terms.int(0);
        let otherwise = if matches!(asked, Question::GetOrElse) { arguments[2] } else { null };
        Some(self.space.terms.ite(has, held, otherwise))
    }

    /// Null, or an object of another type, may be refused: by all questions about one object alike.
    fn or_refused(&mut self, what: &str, keyed: &[Term], state: &State, value: Term) -> Outcome {
        let refused = self.space.apply(&format!("refuses {what}"), keyed, Sort::Bool);
        let throwable = self.program.known.throwable;
        self.unless(refused, (what, throwable), keyed, state, value)
    }

    fn unless(
        &mut self,
        refused: Term,
        (what, thrown): (&str, program::Name),
        keyed: &[Term],
        state: &State,
        value: Term,
    ) -> Outcome {
        let exception = self.some_throwable(&format!("refused {what}"), keyed);
        self.assume_types(exception, Type::class(thrown));
        let given = self.space.terms.not(refused);
        let mut outcome = returned(state.clone(), Some(value));
        if let Some((state, _)) = &mut outcome.returned {
            state.path = state.path.and(&self.space.terms, given);
        }
        let mut thrown = state.clone();
        thrown.path = thrown.path.and(&self.space.terms, refused);
        outcome.thrown = Some((thrown, exception));
        outcome
    }
}

/// Branches that are looked through for what a history began with.
const MOST_BRANCHES: u32 = 16;

/// What a history of writes began with: the start of the run, or a call; nothing if there are several.
fn start_of(history: &Rc<History>, branches_left: &mut u32) -> Option<Option<Term>> {
    let mut current = history;
    loop {
        match &**current {
            History::Start => return Some(None),
            History::After(when) => return Some(Some(*when)),
            History::Write { before, .. } => current = before,
            History::Merge { first, second, .. } => {
                *branches_left = branches_left.checked_sub(1)?;
                let one = start_of(first, branches_left)?;
                return (one == start_of(second, branches_left)?).then_some(one);
            }
        }
    }
}
