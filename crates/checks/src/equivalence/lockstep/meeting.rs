//! Places where ways meet, and what is known there: which values of the two sides are equal.

use program::MethodId;
use program::ir::{BlockId, Value};
use rustc_hash::FxHashMap;

use super::Apart;
use super::terms::{Facts, Known, Node, Part, Term, Terms};
use super::walk::{Builder, Walk};

/// Where both sides are.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Place {
    one: Vec<(MethodId, BlockId, usize)>,
    two: Vec<(MethodId, BlockId, usize)>,
    is_header: bool,
}

impl Place {
    pub(super) fn of(one: &Walk, two: &Walk, is_header: bool) -> Place {
        let frames = |walk: &Walk| {
            walk.frames.iter().map(|frame| (frame.method, frame.block, frame.at)).collect()
        };
        Place { one: frames(one), two: frames(two), is_header }
    }
}

/// What the live places of both sides hold, in a fixed order.
pub(super) struct Arrival {
    terms: Vec<Term>,
    /// Of each of the terms.
    known: Vec<Known>,
    shape: Vec<Shape>,
}

/// What is no term: strings under construction.
#[derive(Clone, PartialEq, Eq)]
enum Shape {
    /// A live value that is the builder of that number.
    Builder(usize),
    Value,
    Content(bool, Vec<u8>),
    Partial(Vec<u8>),
}

impl Arrival {
    pub(super) fn of(terms: &Terms, facts: &Facts, one: &Walk, two: &Walk) -> Arrival {
        let mut arrival = Arrival { terms: Vec::new(), known: Vec::new(), shape: Vec::new() };
        for walk in [one, two] {
            let mut builders: Vec<u32> = Vec::new();
            for (frame, value) in live(walk) {
                let term = walk.frames[frame].values[value.index()];
                if let Node::Builder(number) = *terms.node(term) {
                    let known = builders.iter().position(|&other| other == number);
                    let at = known.unwrap_or_else(|| {
                        builders.push(number);
                        builders.len() - 1
                    });
                    arrival.shape.push(Shape::Builder(at));
                } else {
                    arrival.shape.push(Shape::Value);
                    arrival.terms.push(term);
                }
            }
            for number in builders {
                let Some(builder) = walk.builders.get(&number) else { continue };
                arrival.shape.push(Shape::Content(builder.is_made, arrival_kinds(&builder.parts)));
                arrival.terms.extend(builder.parts.iter().map(|part| part.term));
            }
            arrival.shape.push(Shape::Partial(arrival_kinds(&walk.partial)));
            arrival.terms.extend(walk.partial.iter().map(|part| part.term));
        }
        arrival.known = arrival.terms.iter().map(|&term| facts.known(terms, term)).collect();
        arrival
    }
}

fn arrival_kinds(parts: &[Part]) -> Vec<u8> {
    parts.iter().map(|part| part.kind).collect()
}

/// The live values, by frame.
fn live(walk: &Walk) -> Vec<(usize, Value)> {
    let mut found = Vec::new();
    for (at, frame) in walk.frames.iter().enumerate() {
        let live = frame.code.live_at(frame.block, frame.at);
        found.extend(live.into_iter().map(|value| (at, value)));
    }
    found
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Slot {
    Constant(Term),
    /// Equal to all slots of the same class.
    Class(u32),
}

/// What all arrivals so far agree on.
pub(super) struct Meeting {
    slots: Vec<Slot>,
    known: Vec<Known>,
    shape: Vec<Shape>,
}

impl Meeting {
    /// Whether the strings under construction look the same as at earlier arrivals.
    pub(super) fn fits(&self, arrival: &Arrival) -> bool {
        self.shape == arrival.shape
    }

    /// The meeting with one more arrival that fits; nothing if that changes nothing.
    pub(super) fn join(
        terms: &Terms,
        before: Option<&Meeting>,
        arrival: &Arrival,
    ) -> Option<Meeting> {
        let mut classes: FxHashMap<(Option<Slot>, Term), u32> = FxHashMap::default();
        let mut known: Vec<Known> = Vec::new();
        let mut slots = Vec::with_capacity(arrival.terms.len());
        for (at, &term) in arrival.terms.iter().enumerate() {
            let old = before.map(|before| before.slots[at]);
            let is_constant = match old {
                None => terms.is_constant(term),
                Some(Slot::Constant(constant)) => constant == term,
                Some(Slot::Class(_)) => false,
            };
            if is_constant {
                slots.push(Slot::Constant(term));
                continue;
            }
            let class = *classes.entry((old, term)).or_insert_with(|| {
                let mine = &arrival.known[at];
                known.push(match (old, before) {
                    (Some(Slot::Class(class)), Some(before)) => {
                        common(&before.known[class as usize], mine)
                    }
                    (Some(Slot::Constant(constant)), _) => common(terms.known(constant), mine),
                    (_, _) => mine.clone(),
                });
                known.len() as u32 - 1
            });
            slots.push(Slot::Class(class));
        }
        if let Some(before) = before
            && before.slots == slots
            && before.known == known
        {
            return None;
        }
        Some(Meeting { slots, known, shape: arrival.shape.clone() })
    }

    /// Both sides go on with symbols for what is not constant.
    pub(super) fn leave(
        &self,
        terms: &mut Terms,
        arrival: &Arrival,
        one: &mut Walk,
        two: &mut Walk,
    ) {
        debug_assert_eq!(arrival.terms.len(), self.slots.len());
        let symbols: Vec<Term> =
            self.known.iter().map(|known| terms.symbol(known.clone())).collect();
        let mut values = self.slots.iter().map(|slot| match slot {
            Slot::Constant(term) => *term,
            Slot::Class(class) => symbols[*class as usize],
        });
        let mut shapes = self.shape.iter();
        for walk in [one, two] {
            let places = live(walk);
            for frame in &mut walk.frames {
                frame.values.fill(Term::UNDEFINED);
            }
            for (frame, value) in places {
                let term = match shapes.next() {
                    Some(Shape::Builder(at)) => terms.intern(Node::Builder(*at as u32)),
                    _ => values.next().unwrap_or(Term::UNDEFINED),
                };
                walk.frames[frame].values[value.index()] = term;
            }
            walk.builders.clear();
            for shape in shapes.by_ref() {
                match shape {
                    Shape::Content(is_made, kinds) => {
                        let parts = take_parts(kinds, &mut values);
                        let number = walk.builders.len() as u32;
                        walk.builders.insert(number, Builder { is_made: *is_made, parts });
                    }
                    Shape::Partial(kinds) => {
                        walk.partial = take_parts(kinds, &mut values);
                        break;
                    }
                    Shape::Builder(_) | Shape::Value => break,
                }
            }
            walk.young.clear();
            walk.has_joined = false;
            walk.at_header = false;
        }
    }
}

fn take_parts(kinds: &[u8], values: &mut impl Iterator<Item = Term>) -> Vec<Part> {
    kinds.iter().zip(values).map(|(&kind, term)| Part { kind, term }).collect()
}

fn common(one: &Known, two: &Known) -> Known {
    let is_same = one.ty == two.ty;
    Known {
        is_not_null: one.is_not_null && two.is_not_null,
        ty: one.ty.clone().filter(|_| is_same),
        is_exact: is_same && one.is_exact && two.is_exact,
    }
}

/// Before a loop, a live builder becomes an object of its own: it may grow without bound.
pub(super) fn settle_builders(
    terms: &mut Terms,
    one: &mut Walk,
    two: &mut Walk,
) -> Result<(), Apart> {
    loop {
        let (first, second) = (live_builder(terms, one), live_builder(terms, two));
        match (first, second) {
            (None, None) => return Ok(()),
            (Some(first), Some(second)) => {
                let (Some(a), Some(b)) = (one.builders.get(&first), two.builders.get(&second))
                else {
                    return Err(Apart);
                };
                let is_made = a.is_made && b.is_made;
                let (a, b) = (a.parts.clone(), b.parts.clone());
                if !is_made || terms.concat(&a) != terms.concat(&b) {
                    return Err(Apart);
                }
                reveal(terms, one, two, (first, second));
            }
            (Some(_), None) | (None, Some(_)) => return Err(Apart),
        }
    }
}

fn live_builder(terms: &Terms, walk: &Walk) -> Option<u32> {
    live(walk).into_iter().find_map(|(frame, value)| {
        match *terms.node(walk.frames[frame].values[value.index()]) {
            Node::Builder(number) => Some(number),
            _ => None,
        }
    })
}

/// One builder of each side is from now on one object that others see.
pub(super) fn reveal(terms: &mut Terms, one: &mut Walk, two: &mut Walk, numbers: (u32, u32)) {
    let ty = Some("java/lang/StringBuilder".into());
    let object = terms.symbol(Known { is_not_null: true, ty, is_exact: true });
    for (walk, number) in [(one, numbers.0), (two, numbers.1)] {
        let builder = terms.intern(Node::Builder(number));
        for frame in &mut walk.frames {
            for value in &mut frame.values {
                if *value == builder {
                    *value = object;
                }
            }
        }
        walk.builders.remove(&number);
    }
}
