//! Two bodies in lock step: do they do the same things, in the same order, to the same values?
//!
//! Each side walks its own code. What is silent (jumps, arithmetic, helper methods that a compiler
//! made or that code was moved to, strings under construction) it does alone; at an event, something that others can see or that
//! can fail, both must do the same to the same values, and get one result. Where ways meet, only what
//! is equal to what is kept, and the walk goes on until nothing new is learned. So loops need no bound,
//! and neither the order of blocks nor the compiler's habits matter.
//!
//! This is no search for equivalent algorithms: code that reads two fields in another order is not the
//! same code here. What calls do is taken as the same on both sides; whoever asks looks at the callees.

mod code;
mod context;
mod meeting;
mod strings;
mod terms;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use program::{MethodDescriptor, MethodId, Program, Type};
use rustc_hash::{FxHashMap, FxHashSet};

use super::reach::FRAMES;
use code::Side;
use context::Context;
use meeting::{Arrival, Meeting, Place};
use terms::{Facts, Known, Part, Question, Term, Terms};
use walk::{Event, Gives, Raises, Stop, Walk};

const MOST_STEPS: u32 = 400_000;
const MOST_TERMS: usize = 150_000;
const MOST_NESTING: usize = 6;
const MOST_SETTLED: usize = 24;
/// Loop heads that one side passes while the other is elsewhere.
const MOST_PASSES: u32 = 8;

/// Compares bodies of two versions.
pub struct Lockstep<'p> {
    old: Side<'p>,
    new: Side<'p>,
}

/// What "the same code" rests on.
pub(super) type Assumptions = BTreeSet<&'static str>;

impl<'p> Lockstep<'p> {
    /// `renamed` gives the new name of a class of the old version, internal form.
    pub fn new(
        old: &'p Program,
        new: &'p Program,
        renamed: &'p BTreeMap<String, String>,
    ) -> Lockstep<'p> {
        static NOTHING: BTreeMap<String, String> = BTreeMap::new();
        Lockstep { old: Side::new(old, renamed), new: Side::new(new, &NOTHING) }
    }

    /// Whether two methods do the same, call by call, and what that rests on.
    pub fn is_same(&self, one: MethodId, two: MethodId) -> Option<Assumptions> {
        if self.old.copies_constants(one) && self.new.copies_constants(two) {
            return Some(Assumptions::new());
        }
        let mut run = Run::new(self, vec![(one, two)]);
        let (first, second) = (self.old.code(one), self.new.code(two));
        match (first, second) {
            (None, None) => Some(Assumptions::new()),
            (Some(first), Some(second)) => {
                let arguments = run.parameters(two);
                if first.body.parameters != arguments.len()
                    || second.body.parameters != arguments.len()
                {
                    return None;
                }
                let one = Walk::new(one, first, &arguments);
                let two = Walk::new(two, second, &arguments);
                run.explore(one, two).then_some(run.assumptions)
            }
            (Some(_), None) | (None, Some(_)) => None,
        }
    }
}

#[derive(Clone)]
struct Pair {
    one: Walk,
    two: Walk,
    facts: Facts,
    passes: u32,
}

/// One comparison.
struct Run<'a, 'p> {
    lockstep: &'a Lockstep<'p>,
    terms: Terms,
    meetings: FxHashMap<Place, Meeting>,
    /// Where strings under construction become objects.
    settled: FxHashSet<Place>,
    open: Vec<Pair>,
    steps_left: u32,
    assumptions: Assumptions,
    /// The bodies that are being compared, outermost first: each is the same if the others are.
    nesting: Vec<(MethodId, MethodId)>,
}

/// The sides do not do the same, as far as this can tell.
struct Apart;

impl<'a, 'p> Run<'a, 'p> {
    fn new(lockstep: &'a Lockstep<'p>, nesting: Vec<(MethodId, MethodId)>) -> Run<'a, 'p> {
        Run {
            lockstep,
            terms: Terms::new(),
            meetings: FxHashMap::default(),
            settled: FxHashSet::default(),
            open: Vec::new(),
            steps_left: MOST_STEPS,
            assumptions: Assumptions::new(),
            nesting,
        }
    }

    /// The receiver and the arguments of a method of the new version, any values.
    fn parameters(&mut self, method: MethodId) -> Vec<Term> {
        let side = &self.lockstep.new;
        let (class, declared) = side.program.method(method);
        let names = &side.program.names;
        let mut found = Vec::new();
        if !declared.access_flags.is_static() {
            let ty = Some(side.class(class.name).into());
            found.push(self.terms.symbol(Known { is_not_null: true, ty, is_exact: false }));
        }
        let descriptor = MethodDescriptor::parse(names.bytes(declared.descriptor));
        let types = descriptor.map_or_else(Vec::new, |it| it.parameter_types(names));
        found.extend(types.into_iter().map(|ty| self.any(ty)));
        found
    }

    fn any(&mut self, ty: Type) -> Term {
        let known = context::known_of(&self.lockstep.new, ty);
        self.terms.symbol(known)
    }

    fn explore(&mut self, one: Walk, two: Walk) -> bool {
        let start = Pair { one, two, facts: Facts::default(), passes: 0 };
        // Each round but the last finds a place where strings under construction must be objects.
        loop {
            let n_settled = self.settled.len();
            self.meetings.clear();
            self.open = vec![start.clone()];
            let is_same = self.round();
            if self.settled.len() == n_settled || self.settled.len() > MOST_SETTLED {
                return is_same;
            }
        }
    }

    fn round(&mut self) -> bool {
        while let Some(pair) = self.open.pop() {
            if self.terms.len() > MOST_TERMS || self.go_on(pair).is_err() {
                return false;
            }
        }
        true
    }

    fn advance(&mut self, walk: &mut Walk, facts: &Facts, is_old: bool) -> Stop {
        let Lockstep { old, new } = self.lockstep;
        let (side, other) = if is_old { (old, new) } else { (new, old) };
        let mut context = Context {
            side,
            other,
            terms: &mut self.terms,
            facts,
            new,
            assumptions: &mut self.assumptions,
        };
        walk.advance(&mut context, &mut self.steps_left)
    }

    /// Both sides up to where they have to agree.
    fn go_on(&mut self, mut pair: Pair) -> Result<(), Apart> {
        let one = self.advance(&mut pair.one, &pair.facts, true);
        if let Stop::Fork(question) = one {
            self.fork(pair, question);
            return Ok(());
        }
        let two = self.advance(&mut pair.two, &pair.facts, false);
        match (one, two) {
            (_, Stop::Fork(question)) => self.fork(pair, question),
            (Stop::Header, Stop::Header) => self.meet(pair, true)?,
            (Stop::Header, Stop::Event(_) | Stop::Returned(_) | Stop::Thrown(_)) => {
                pair.one.at_header = false;
                self.pass(pair)?;
            }
            (Stop::Event(_) | Stop::Returned(_) | Stop::Thrown(_), Stop::Header) => {
                pair.two.at_header = false;
                self.pass(pair)?;
            }
            (Stop::Returned(one), Stop::Returned(two)) if one == two => {}
            (Stop::Thrown(one), Stop::Thrown(two)) if one == two => {}
            (Stop::Event(one), Stop::Event(two)) => {
                if pair.one.has_joined || pair.two.has_joined {
                    self.meet(pair, false)?;
                } else {
                    self.perform(pair, *one, &two)?;
                }
            }
            (
                Stop::Event(_)
                | Stop::Header
                | Stop::Returned(_)
                | Stop::Thrown(_)
                | Stop::Foreign
                | Stop::Fork(_),
                _,
            ) => return Err(Apart),
        }
        Ok(())
    }

    fn pass(&mut self, mut pair: Pair) -> Result<(), Apart> {
        pair.passes += 1;
        if pair.passes > MOST_PASSES {
            return Err(Apart);
        }
        self.open.push(pair);
        Ok(())
    }

    fn fork(&mut self, pair: Pair, question: Question) {
        for answer in [true, false] {
            let mut way = pair.clone();
            way.facts.add(question.clone(), answer);
            self.open.push(way);
        }
    }

    /// Ways meet: what was known on all of them goes on.
    fn meet(&mut self, mut pair: Pair, is_header: bool) -> Result<(), Apart> {
        let place = Place::of(&pair.one, &pair.two, is_header);
        if is_header || self.settled.contains(&place) {
            meeting::settle_builders(&mut self.terms, &mut pair.one, &mut pair.two)?;
        }
        let arrival = Arrival::of(&self.terms, &pair.facts, &pair.one, &pair.two);
        let known = self.meetings.get(&place);
        if known.is_some_and(|known| !known.fits(&arrival)) {
            self.settled.insert(place);
            return Err(Apart);
        }
        let Some(meeting) = Meeting::join(&self.terms, known, &arrival) else { return Ok(()) };
        meeting.leave(&mut self.terms, &arrival, &mut pair.one, &mut pair.two);
        self.meetings.insert(place, meeting);
        pair.facts = Facts::default();
        pair.one.lone.clear();
        pair.two.lone.clear();
        pair.passes = 0;
        self.open.push(pair);
        Ok(())
    }

    fn perform(&mut self, mut pair: Pair, one: Event, two: &Event) -> Result<(), Apart> {
        if one.key != two.key {
            return Err(Apart);
        }
        match (one.lambda, two.lambda) {
            (Some(first), Some(second)) => self.lambdas(first, second, &one, two)?,
            (None, None) if one.arguments == two.arguments => {}
            (Some(_) | None, _) => return Err(Apart),
        }
        self.compare_frames(&pair, &one.raises);
        self.raise(&pair, &one.raises);
        self.learn(&mut pair, &one);
        let terms = &self.terms;
        let both = |pair: &mut Pair, value: Option<Term>| {
            for walk in [&mut pair.one, &mut pair.two] {
                walk.grow(terms, &one, value);
                walk.resume(value);
            }
        };
        match (&one.result, &two.result) {
            (Gives::Nothing, Gives::Nothing) => both(&mut pair, None),
            (Gives::New(_), Gives::New(known)) => {
                let value = self.terms.symbol(known.clone());
                for walk in [&mut pair.one, &mut pair.two] {
                    walk.grow(&self.terms, &one, Some(value));
                    walk.resume(Some(value));
                }
            }
            (Gives::Old(value), Gives::Old(_)) => both(&mut pair, Some(*value)),
            (Gives::Again, Gives::Again) => {}
            (Gives::Text, Gives::Text) => {
                let ty = Some("java/lang/String".into());
                let term = self.terms.symbol(Known { is_not_null: true, ty, is_exact: true });
                pair.one.partial.push(Part { kind: b'S', term });
                pair.two.partial.push(Part { kind: b'S', term });
            }
            (Gives::Builder(first), Gives::Builder(second)) => {
                meeting::reveal(&mut self.terms, &mut pair.one, &mut pair.two, (*first, *second));
            }
            (
                Gives::Nothing
                | Gives::New(_)
                | Gives::Old(_)
                | Gives::Again
                | Gives::Text
                | Gives::Builder(_),
                _,
            ) => return Err(Apart),
        }
        self.open.push(pair);
        Ok(())
    }

    /// What is called may see in which methods it was.
    fn compare_frames(&mut self, pair: &Pair, raises: &Raises) {
        if matches!(raises, Raises::Anything) {
            let Lockstep { old, new } = self.lockstep;
            if !old.frames(&pair.one).eq(new.frames(&pair.two)) {
                self.assumptions.insert(FRAMES);
            }
        }
    }

    /// What is known once an event went well.
    fn learn(&mut self, pair: &mut Pair, one: &Event) {
        if let Some(object) = one.checked {
            let null = self.terms.intern(terms::Node::Null);
            let question = Question::Equal(object.max(null), object.min(null));
            pair.facts.add(question, false);
        }
        if let (Some(ty), [value, ..]) = (&one.cast, &one.arguments[..]) {
            pair.facts.add(Question::IsA(ty.clone(), *value), true);
        }
        if let (Some(field), [object, value]) = (&one.captures, &one.arguments[..]) {
            pair.facts.capture(field.clone(), *object, *value);
        }
    }

    /// The other way to end: with an exception, the same on both sides.
    fn raise(&mut self, pair: &Pair, raises: &Raises) {
        let (class, is_exact) = match raises {
            Raises::Nothing => return,
            Raises::Exactly(class) => (*class, true),
            Raises::Anything => ("java/lang/Throwable", false),
        };
        // Without a handler on either side, both end with it.
        if !pair.one.has_handlers() && !pair.two.has_handlers() {
            return;
        }
        let known = Known { is_not_null: true, ty: Some(class.into()), is_exact };
        let exception = self.terms.symbol(known);
        let mut raised = pair.clone();
        raised.one.raised = Some(exception);
        raised.two.raised = Some(exception);
        self.open.push(raised);
    }

    /// Two lambdas are the same if they capture the same values and run the same code.
    fn lambdas(
        &mut self,
        first: MethodId,
        second: MethodId,
        one: &Event,
        two: &Event,
    ) -> Result<(), Apart> {
        if self.nesting.contains(&(first, second)) {
            return self.same_captures(one, two);
        }
        let (old, new) = (&self.lockstep.old, &self.lockstep.new);
        let (Some(code), Some(other)) = (old.code(first), new.code(second)) else {
            return Err(Apart);
        };
        if self.nesting.len() > MOST_NESTING {
            return Err(Apart);
        }
        let mut nesting = self.nesting.clone();
        nesting.push((first, second));
        let mut run = Run::new(self.lockstep, nesting);
        let mut inner: FxHashMap<Term, Term> = FxHashMap::default();
        let mut captured = |run: &mut Run<'_, '_>, terms: &Terms, outer: &[Term]| -> Vec<Term> {
            outer
                .iter()
                .map(|&term| {
                    let known = terms.known(term).clone();
                    *inner.entry(term).or_insert_with(|| run.terms.symbol(known))
                })
                .collect()
        };
        let mut ones = captured(&mut run, &self.terms, &one.arguments);
        let mut twos = captured(&mut run, &self.terms, &two.arguments);
        let rest = run.parameters(second);
        let rest = rest.get(two.arguments.len()..).ok_or(Apart)?;
        ones.extend(rest);
        twos.extend(rest);
        if code.body.parameters != ones.len() || other.body.parameters != twos.len() {
            return Err(Apart);
        }
        let is_same = run.explore(Walk::new(first, code, &ones), Walk::new(second, other, &twos));
        self.steps_left = self.steps_left.saturating_sub(MOST_STEPS - run.steps_left);
        self.assumptions.append(&mut run.assumptions);
        if is_same { Ok(()) } else { Err(Apart) }
    }

    fn same_captures(&self, one: &Event, two: &Event) -> Result<(), Apart> {
        if one.arguments == two.arguments { Ok(()) } else { Err(Apart) }
    }
}
