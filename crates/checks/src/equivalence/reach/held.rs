//! Objects in fields: whoever reads a field uses what was put there.
//!
//! The objects are not followed. A method that makes objects of judged classes, or lambdas, itself or in
//! what it calls, may have put them where another finds them: into a field that it writes, or into what
//! a field holds that it reads, if that is a collection or an array. An object of a judged class takes
//! them up by fields of its own.

use std::collections::BTreeSet;

use program::{ClassId, FieldId, MethodDescriptor, MethodId};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::super::matching::MethodPair;
use super::{Universe, Uses, users, with_users};

impl Universe<'_> {
    /// A field whose type says nothing of the objects in it: whoever reads it speaks of the classes that
    /// those who fill it are given, or, if they take anything, of those that their callers make.
    pub(super) fn speak_of_contents(&self, pairs: &[MethodPair], uses: &mut [Uses]) {
        let callers = users(uses);
        let mut contents: FxHashMap<FieldId, BTreeSet<ClassId>> = FxHashMap::default();
        for (at, filler) in uses.iter().enumerate() {
            let vague = filler.filled.iter().filter(|&&field| self.is_vague(field));
            let mut vague = vague.copied().peekable();
            if vague.peek().is_none() {
                continue;
            }
            let mut given = Uses::default();
            self.speak_of_method(pairs[at].new, true, &mut given);
            if self.takes_anything(pairs[at].new) {
                callers[at].iter().for_each(|&caller| given.spoken.extend(&uses[caller].made));
            }
            vague.for_each(|field| contents.entry(field).or_default().extend(&given.spoken));
        }
        uses.par_iter_mut().filter(|reader| reader.is_giving).for_each(|reader| {
            let found = reader.fields.iter().filter_map(|field| contents.get(field));
            let found: BTreeSet<ClassId> = found.flatten().copied().collect();
            if !found.is_subset(&reader.spoken) {
                reader.spoken.extend(found);
                self.complete(reader);
            }
        });
    }

    fn is_vague(&self, field: FieldId) -> bool {
        let mut spoken = Uses::default();
        self.speak_of_field(field, &mut spoken);
        spoken.spoken.is_empty()
    }

    /// Whether a parameter may be of a judged class, and its type does not say so.
    fn takes_anything(&self, method: MethodId) -> bool {
        let names = &self.program.names;
        let (_, declared) = self.program.method(method);
        let descriptor = MethodDescriptor::parse(names.bytes(declared.descriptor));
        let parameters = descriptor.map(|it| it.parameter_types(names)).unwrap_or_default();
        parameters.into_iter().any(|ty| self.is_open_type(ty))
    }
}

/// Makes readers of a field depend on those that fill it.
pub(super) fn add_holders(uses: &mut [Uses]) {
    let makers = makers(uses);
    let mut fillers: FxHashMap<FieldId, Vec<usize>> = FxHashMap::default();
    for (at, uses) in uses.iter().enumerate().filter(|(at, _)| makers.contains(at)) {
        for &field in &uses.filled {
            fillers.entry(field).or_default().push(at);
        }
    }
    for (at, uses) in uses.iter_mut().enumerate().filter(|(_, uses)| uses.is_calling) {
        let held: BTreeSet<usize> = uses
            .fields
            .iter()
            .flat_map(|field| fillers.get(field).into_iter().flatten().copied())
            .filter(|&filler| filler != at)
            .collect();
        uses.pairs.extend(held);
    }
}

/// Pairs that make objects, themselves or in what they call.
fn makers(uses: &[Uses]) -> BTreeSet<usize> {
    with_users(&users(uses), (0..uses.len()).filter(|&at| uses[at].is_maker))
}
