//! What factories give: a method that returns nothing but objects which it makes itself stands for these, be it
//! one of several, as `Collections.synchronizedList` does.

use program::{ClassId, MethodId};

use super::facts::{Creation, Facts};
use super::path::{Paths, Root, Val};
use super::slice::Slice;

/// An object that a factory makes and returns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Product<'a> {
    pub class: ClassId,
    /// The factory, and the pc that makes it.
    pub place: (MethodId, u16),
    /// `None` of a lambda and the like.
    pub creation: Option<&'a Creation>,
}

/// Factories that call factories are followed so far.
const DEPTH: usize = 3;

/// Whether the value, stored by the method, is an object that is made there and then, by a factory.
pub(super) fn is_product(paths: &Paths, slice: &Slice, method: MethodId, val: Val) -> bool {
    let facts = slice.index(method).map(|it| &slice.facts[it]);
    facts.is_some_and(|facts| products(paths, slice, facts, val).is_some())
}

/// All that the value, a result of a call in a body with these facts, can be; `None` if that is open.
pub(super) fn products<'a>(
    paths: &Paths,
    slice: &'a Slice,
    facts: &Facts,
    val: Val,
) -> Option<Vec<Product<'a>>> {
    made_by(paths, slice, facts, val, DEPTH)
}

fn made_by<'a>(
    paths: &Paths,
    slice: &'a Slice,
    facts: &Facts,
    val: Val,
    depth: usize,
) -> Option<Vec<Product<'a>>> {
    let path = paths.of(val.path);
    let (Root::Result(number), []) = (path.root, path.steps()) else { return None };
    let call = facts.call(number).filter(|call| call.targets.is_known())?;
    let [target] = call.targets.methods[..] else { return None };
    let factory = &slice.facts[slice.index(target)?];
    let mut found = Vec::new();
    for &returned in &factory.returns {
        let path = paths.of(returned.path);
        match (path.root, path.steps()) {
            (Root::Alloc(maker, pc), []) if maker == target && returned.exact => {
                let creation = factory.creation(pc);
                found.push(Product { class: returned.class?, place: (maker, pc), creation });
            }
            (Root::Result(_), []) if depth > 0 => {
                found.extend(made_by(paths, slice, factory, returned, depth - 1)?);
            }
            _ => return None,
        }
    }
    (!found.is_empty()).then_some(found)
}
