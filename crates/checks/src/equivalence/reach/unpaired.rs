//! Methods that only one version has, as far as proofs that follow them must know.

use std::collections::BTreeSet;

use program::{ClassId, MethodId, Role};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::{Universe, Uses, with_users};

/// Methods of one version that are no pair.
pub(super) struct Barred {
    /// Those that ask for something that differs.
    pub(super) asking: FxHashSet<MethodId>,
    /// Whether some make objects that are of other types of the platform now.
    makes_recast: bool,
}

impl Universe<'_> {
    fn makes_recast(&self, uses: &Uses) -> bool {
        let name = |&class: &ClassId| self.program.names.text(self.program.class_name(class));
        uses.made.iter().any(|class| self.shifts.recast.contains(&*name(class)))
    }

    /// Pairs below which such objects are made; all, if methods that are no pair make some.
    pub(super) fn recasting(
        &self,
        (before, after): (&Barred, &Barred),
        uses: &[Uses],
        users: &[Vec<usize>],
    ) -> BTreeSet<usize> {
        if before.makes_recast || after.makes_recast {
            return (0..uses.len()).collect();
        }
        with_users(users, (0..uses.len()).filter(|&at| self.makes_recast(&uses[at])))
    }

    /// What is to be known of methods that are no pair.
    pub(super) fn barred(
        &self,
        paired: &FxHashSet<MethodId>,
        may_ask_for_stack: &BTreeSet<usize>,
    ) -> Barred {
        let classes = self.program.class_ids(Role::Judged).filter_map(|id| self.program.class(id));
        let methods = classes.flat_map(|class| class.methods().map(|(id, _)| id));
        let own: Vec<MethodId> = methods.filter(|id| !paired.contains(id)).collect();
        let looked: Vec<(MethodId, bool, bool)> = own
            .into_par_iter()
            .map(|id| {
                let uses = self.uses(id);
                // What compilers add is part of what calls it.
                let is_own = !self.program.method(id).1.access_flags.is_synthetic();
                let makes_recast = is_own && self.makes_recast(&uses);
                let sees_stack = uses.asks_for_stack || !uses.pairs.is_disjoint(may_ask_for_stack);
                (id, uses.opaque.is_some() || uses.is_by_name || sees_stack, makes_recast)
            })
            .collect();
        Barred {
            asking: looked.iter().filter(|(_, asks, _)| *asks).map(|&(id, ..)| id).collect(),
            makes_recast: looked.iter().any(|&(.., makes)| makes),
        }
    }
}
