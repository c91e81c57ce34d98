//! What code outside can get hold of: methods of classes that it can name, and of those whose objects
//! reachable code makes.
//!
//! A class that nobody outside can name is used through a supertype, but only if somebody makes an
//! object of it. What is made by reflection alone is not seen here, and the report says so.

use program::{ClassId, MethodId};
use rayon::prelude::*;

use super::facts::What;
use super::slice::Slice;
use super::universe::Universe;

/// For each method of the slice whether anybody outside can call it.
pub(crate) fn find_entries(universe: &Universe<'_>, slice: &Slice) -> Vec<bool> {
    let may_enter: Vec<(bool, bool)> = slice
        .methods
        .par_iter()
        .with_min_len(256)
        .map(|&method| (universe.is_entry(method), universe.is_exposed(method.class)))
        .collect();
    let mut reach = Reach {
        universe,
        slice,
        reached: vec![false; slice.methods.len()],
        made: vec![false; universe.n_classes()],
        queue: Vec::new(),
    };
    for (method, &(is_entry, is_accessible)) in may_enter.iter().enumerate() {
        if is_entry && is_accessible {
            reach.reach(method);
            reach.initialise(slice.methods[method].class);
        }
    }
    reach.run();
    let made = |method: MethodId| reach.made[method.class.index()];
    may_enter
        .iter()
        .zip(&slice.methods)
        .map(|(&(is_entry, is_accessible), &method)| is_entry && (is_accessible || made(method)))
        .collect()
}

struct Reach<'a> {
    universe: &'a Universe<'a>,
    slice: &'a Slice,
    reached: Vec<bool>,
    made: Vec<bool>,
    queue: Vec<usize>,
}

impl Reach<'_> {
    fn reach(&mut self, method: usize) {
        if !std::mem::replace(&mut self.reached[method], true) {
            self.queue.push(method);
        }
    }

    fn reach_id(&mut self, method: MethodId) {
        if let Some(index) = self.slice.index(method) {
            self.reach(index);
        }
    }

    fn run(&mut self) {
        let slice = self.slice;
        while let Some(method) = self.queue.pop() {
            let facts = &slice.facts[method];
            for event in &facts.events {
                match &event.what {
                    What::Call(call) => call.targets.all().for_each(|it| self.reach_id(it)),
                    What::Init(class) => self.initialise(*class),
                    What::Acquire(_)
                    | What::Wait { .. }
                    | What::Notify { .. }
                    | What::Join(_)
                    | What::Spawn(_) => {}
                }
            }
            for lambda in &facts.lambdas {
                self.reach_id(lambda.target);
            }
            for creation in &facts.creations {
                self.make(creation.class);
            }
        }
    }

    fn initialise(&mut self, class: ClassId) {
        let program = self.universe.program;
        let Some(class) = program.class(class) else { return };
        for &above in program.ancestry(class).superclasses.iter() {
            if let Some(initialiser) = self.universe.initialiser(above) {
                self.reach_id(initialiser);
            }
        }
    }

    /// Whoever gets the object may call what it inherits or overrides.
    fn make(&mut self, class: ClassId) {
        let program = self.universe.program;
        let Some(declared) = program.class(class) else { return };
        if self.made[class.index()] {
            return;
        }
        for &above in program.ancestry(declared).superclasses.iter() {
            if std::mem::replace(&mut self.made[above.index()], true) {
                continue;
            }
            let Some(above) = program.class(above) else { continue };
            for (id, method) in above.methods() {
                if !method.access_flags.is_static() && !method.access_flags.is_private() {
                    self.reach_id(id);
                }
            }
        }
    }
}
