//! Whether the comparisons that all threads of a circle made can be true at once.
//!
//! Every object gets some value for every key, in all possible orders; the circle stands if one of them
//! lets each thread be where it is. Objects that are certainly two have different values of a key that
//! is never given twice, or, if that is only hoped, of one that does not seem to be.

use super::feasible::{Belief, Role};
use super::names::field_name;
use super::objects::Objects;
use super::order::{Comparison, End, Guard, Key, Relation, Worlds, relation_in};
use super::ties::may_be_given_twice;
use super::unique::is_unique;

/// A guard over the objects of a circle; an end that is not known is none.
pub(crate) struct Clause {
    comparisons: Vec<Comparison<Option<usize>>>,
    worlds: Worlds,
}

/// The guards of all roles, their ends as objects.
pub(crate) fn clauses(
    objects: &mut Objects<'_>,
    roles: &[Role<'_>],
    held: &[usize],
    wanted: &[usize],
    belief: Belief,
) -> Vec<Clause> {
    let mut found = Vec::new();
    for (thread, role) in roles.iter().enumerate() {
        for Guard { comparisons, worlds } in &role.pair.guards {
            let mut end = |end: End| match end {
                End::Held => Some(held[thread]),
                End::Wanted => Some(wanted[thread]),
                End::Path(path) => {
                    let is_said = super::context::is_lasting(objects.context, path);
                    is_said.then(|| objects.term(thread, objects.context.paths.of(path)))
                }
                End::Lost => None,
            };
            let comparisons = comparisons
                .iter()
                .map(|it| match it.key {
                    Key::Said(..) if belief != Belief::Hoped => {
                        Comparison { left: None, right: None, key: it.key }
                    }
                    Key::Said(..)
                    | Key::Field(_)
                    | Key::Itself
                    | Key::IdentityHash
                    | Key::Ordinal(_)
                    | Key::Computed(..)
                    | Key::Against(..) => {
                        Comparison { left: end(it.left), right: end(it.right), key: it.key }
                    }
                })
                .collect();
            found.push(Clause { comparisons, worlds: *worlds });
        }
    }
    found
}

/// More ways to give values to keys are not tried.
const TRIES: usize = 100_000;

/// Why the clauses cannot all hold; `None` if they can, or if there are too many to try. `apart` are
/// locks that different threads hold.
pub(crate) fn contradicting(
    objects: &Objects<'_>,
    clauses: &[Clause],
    apart: &[usize],
    belief: Belief,
) -> Option<String> {
    let comparisons = || clauses.iter().flat_map(|clause| &clause.comparisons);
    let mut places: Vec<(usize, Key)> = Vec::new();
    for it in comparisons() {
        for end in [it.left, it.right].into_iter().flatten() {
            let place = (objects.find(end), it.key);
            if !places.contains(&place) {
                places.push(place);
            }
        }
    }
    let mut distinct: Vec<usize> = places.iter().map(|(object, _)| *object).collect();
    distinct.sort_unstable();
    distinct.dedup();
    let n_values = distinct.len();
    let n_tries = n_values.checked_pow(places.len() as u32)?;
    if n_values < 2 || n_tries > TRIES {
        return None;
    }
    let never_equal = certain_differences(objects, &places, apart, belief);
    let place = |end: usize, key: Key| places.iter().position(|it| *it == (objects.find(end), key));
    let placed: Vec<Placed> = clauses.iter().map(|clause| clause.placed(&place)).collect();
    let mut values = vec![0; places.len()];
    let stands = (0..n_tries).any(|mut number| {
        for value in &mut values {
            *value = number % n_values;
            number /= n_values;
        }
        never_equal.iter().all(|&(a, b)| values[a] != values[b])
            && placed.iter().all(|clause| clause.allows(&values))
    });
    if stands {
        return None;
    }
    let key = comparisons().next()?.key;
    Some(match key {
        Key::Field(field) | Key::Computed(Some(field), ..) => {
            format!("the objects are locked in the order of {}", field_name(objects.context, field))
        }
        Key::Against(field, _) => {
            let name = field_name(objects.context, field);
            format!("which lock comes first is decided by {name}, which never changes")
        }
        Key::Itself => "the code locks both only if they are one object".to_owned(),
        Key::Ordinal(_) => "the objects are locked in the order of their ordinals".to_owned(),
        Key::IdentityHash | Key::Computed(None, ..) => {
            "the objects are locked in the order of their identity hashes".to_owned()
        }
        Key::Said(class, method) => {
            let program = objects.context.universe.program;
            let (class, method) = (program.class_text(class), program.names.text(method));
            format!("the objects are locked in the order of {class}.{method}()")
        }
    })
}

/// Places whose values differ: of objects that are certainly two, if the key is never given twice.
fn certain_differences(
    objects: &Objects<'_>,
    places: &[(usize, Key)],
    apart: &[usize],
    belief: Belief,
) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (a, &(object_a, key)) in places.iter().enumerate() {
        for (b, &(object_b, _)) in
            places.iter().enumerate().skip(a + 1).filter(|(_, it)| it.1 == key)
        {
            let is_key = match key {
                Key::Field(field) => {
                    is_unique(objects.context, field)
                        || belief == Belief::Hoped && !may_be_given_twice(objects.context, field)
                }
                Key::IdentityHash | Key::Computed(..) | Key::Against(..) => false,
                Key::Ordinal(_) | Key::Itself => true,
                Key::Said(..) => belief == Belief::Hoped,
            };
            if is_key && objects.would_unite(object_a, object_b, apart) {
                found.push((a, b));
            }
        }
    }
    found
}

impl Clause {
    fn placed(&self, place: &impl Fn(usize, Key) -> Option<usize>) -> Placed {
        let ends = self.comparisons.iter().map(|it| {
            let (left, right) = it.left.zip(it.right)?;
            Some((place(left, it.key)?, place(right, it.key)?))
        });
        let all = 0..Worlds::count(self.comparisons.len());
        Placed {
            ends: ends.collect(),
            worlds: all.filter(|&it| self.worlds.contains(it)).collect(),
        }
    }
}

/// A clause whose ends are places that have values.
struct Placed {
    /// Nothing of a comparison with an end that is not known.
    ends: Vec<Option<(usize, usize)>>,
    worlds: Vec<usize>,
}

impl Placed {
    /// Whether one of its worlds has these values.
    fn allows(&self, values: &[usize]) -> bool {
        self.worlds.iter().any(|&world| {
            self.ends.iter().enumerate().all(|(index, ends)| {
                ends.is_none_or(|(left, right)| {
                    let relation = match values[left].cmp(&values[right]) {
                        std::cmp::Ordering::Less => Relation::Less,
                        std::cmp::Ordering::Equal => Relation::Equal,
                        std::cmp::Ordering::Greater => Relation::Greater,
                    };
                    relation == relation_in(world, index)
                })
            })
        })
    }
}
