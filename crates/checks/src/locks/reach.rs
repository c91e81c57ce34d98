//! What code outside can get hold of: methods of classes that it can name, and of those whose objects
//! reachable code makes.
//!
//! A class that nobody outside can name is used through a supertype, but only if somebody makes an
//! object of it. What is made by reflection alone is not seen here, and the report says so.
//!
//! If only `main` methods start, what they reach is all that runs. Reached are callees, initialisers,
//! lambdas where they are made, and every method of an object that is made: whoever has the object, the
//! library included, finds no others. Of these the library may call those that override one of its own,
//! and calls that are not followed may run any of the same name: those start without a known caller.

use program::{ClassId, MethodId, Name};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::facts::{Facts, What};
use super::slice::Slice;
use super::universe::Universe;

/// Which methods of the slice start without a known caller, and what each program runs.
pub(crate) struct Starts {
    pub entries: Vec<bool>,
    /// Initialisers of classes that are not the platform's, as far as they run.
    pub initialisers: Vec<bool>,
    /// If only `main` methods start: for each method one bit for each that reaches it.
    pub programs: Vec<u64>,
    /// The same: whether another thread than the first may run the method.
    pub elsewhere: Vec<bool>,
}

/// For each method of the slice whether anybody outside can call it.
pub(crate) fn find_starts(universe: &Universe<'_>, slice: &Slice) -> Starts {
    if universe.is_closed() {
        return find_closed_starts(universe, slice);
    }
    let may_enter: Vec<(bool, bool)> = slice
        .methods
        .par_iter()
        .with_min_len(256)
        .map(|&method| (universe.is_entry(method), universe.is_exposed(method.class)))
        .collect();
    let mut reach = Reach::new(universe, slice);
    for (method, &(is_entry, is_accessible)) in may_enter.iter().enumerate() {
        if is_entry && is_accessible {
            reach.reach(method);
            reach.initialise(slice.methods[method].class);
        }
    }
    reach.run();
    let made = |method: MethodId| reach.made[method.class.index()];
    let entries = may_enter
        .iter()
        .zip(&slice.methods)
        .map(|(&(is_entry, is_accessible), &method)| is_entry && (is_accessible || made(method)))
        .collect();
    let initialisers = own_initialisers(universe, slice, &reach.reached);
    Starts { entries, initialisers, programs: Vec::new(), elsewhere: Vec::new() }
}

/// The JVM runs an initialiser in whatever thread comes first.
fn own_initialisers(universe: &Universe<'_>, slice: &Slice, reached: &[bool]) -> Vec<bool> {
    // Of a whole JDK nothing is proved, and what its initialisers lock is next to never contended.
    let is_one = |method: MethodId| {
        universe.is_initialiser(method)
            && !universe.is_platform(method.class)
            && !universe.is_all_judged()
    };
    slice.methods.iter().zip(reached).map(|(&method, &it)| it && is_one(method)).collect()
}

/// The `main` methods of the judged classes.
pub(crate) fn find_mains(universe: &Universe<'_>, slice: &Slice) -> Vec<usize> {
    let is_main = |method: &usize| {
        let id = slice.methods[*method];
        universe.is_judged(id.class) && universe.is_main(id)
    };
    (0..slice.methods.len()).filter(is_main).collect()
}

fn find_closed_starts(universe: &Universe<'_>, slice: &Slice) -> Starts {
    /// Programs that are told apart.
    const PROGRAMS: usize = u64::BITS as usize;
    let mains = find_mains(universe, slice);
    let groups: Vec<&[usize]> =
        if mains.len() > PROGRAMS { vec![&mains[..]] } else { mains.chunks(1).collect() };
    let n_methods = slice.methods.len();
    let mut programs = vec![0; n_methods];
    let mut entries = vec![false; n_methods];
    for (number, group) in groups.iter().enumerate() {
        let reach = reach_from(universe, slice, group);
        let unfollowed = unfollowed_calls(universe, slice, &reach.reached);
        for (method, &id) in slice.methods.iter().enumerate().filter(|(it, _)| reach.reached[*it]) {
            programs[method] |= 1 << number;
            let (class, declared) = universe.program.method(id);
            let is_made = reach.made[class.id.index()] || universe.is_platform(class.id);
            let may_be_meant = unfollowed.contains(&(declared.name, declared.descriptor));
            entries[method] |= group.contains(&method)
                || is_made && (may_be_meant || universe.is_entry(id) && !universe.is_main(id));
        }
    }
    let elsewhere = run_elsewhere(universe, slice, &entries, &programs);
    let reached: Vec<bool> = programs.iter().map(|&it| it != 0).collect();
    let initialisers = own_initialisers(universe, slice, &reached);
    Starts { entries, initialisers, programs, elsewhere }
}

fn reach_from<'a>(universe: &'a Universe<'a>, slice: &'a Slice, mains: &[usize]) -> Reach<'a> {
    let mut reach = Reach::new(universe, slice);
    for &main in mains {
        let id = slice.methods[main];
        reach.reach(main);
        reach.initialise(id.class);
        if !universe.program.method(id).1.access_flags.is_static() {
            reach.make(id.class);
        }
    }
    reach.run();
    reach
}

/// Methods, by name and descriptor, that calls may run without being followed there.
fn unfollowed_calls(
    universe: &Universe<'_>,
    slice: &Slice,
    reached: &[bool],
) -> FxHashSet<(Name, Name)> {
    let reached = slice.facts.iter().zip(reached).filter(|(_, is_reached)| **is_reached);
    let events = reached.flat_map(|(facts, _)| &facts.events);
    let calls = events.filter_map(|event| match &event.what {
        What::Call(call) => {
            let is_open = call.is_virtual && !call.targets.is_known();
            let (_, called) = universe.program.method(call.resolved);
            is_open.then_some((called.name, called.descriptor))
        }
        What::Acquire(_)
        | What::Init(_)
        | What::Wait { .. }
        | What::Notify { .. }
        | What::Join(_)
        | What::Spawn(_) => None,
    });
    calls.collect()
}

/// The class that calling a lambda or reference initialises, if that may come as news to code of the class
/// that makes it: of a constructor or a static method.
pub(crate) fn needed_by_reference(
    universe: &Universe<'_>,
    maker: ClassId,
    target: MethodId,
) -> Option<ClassId> {
    let program = universe.program;
    let method = program.method(target).1;
    let needs = method.access_flags.is_static() || method.name == program.known.init;
    let is_under_way = program.is_subtype(maker, target.class) == Some(true);
    (needs && !is_under_way).then_some(target.class)
}

/// What other threads than the first may run: lambdas, what starts without a known caller, and whatever
/// these reach.
fn run_elsewhere(
    universe: &Universe<'_>,
    slice: &Slice,
    entries: &[bool],
    programs: &[u64],
) -> Vec<bool> {
    let mut reach = Reach::new(universe, slice);
    // What is made elsewhere is called there by calls that are followed, or starts by itself.
    reach.follows_objects = false;
    for (method, facts) in slice.facts.iter().enumerate().filter(|(it, _)| programs[*it] != 0) {
        if entries[method] && !universe.is_main(slice.methods[method]) {
            reach.reach(method);
        }
        for lambda in &facts.lambdas {
            reach.reach_id(lambda.target);
        }
    }
    reach.run();
    reach.reached
}

/// If only `main` methods start, forgets the code that none of them reaches.
pub(crate) fn drop_unreached(universe: &Universe<'_>, slice: &mut Slice) {
    if !universe.is_closed() {
        return;
    }
    let mains = find_mains(universe, slice);
    let reached = reach_from(universe, slice, &mains).reached;
    for (facts, is_reached) in slice.facts.iter_mut().zip(reached) {
        if !is_reached {
            *facts = Facts::default();
        }
    }
    slice.index_lambdas();
}

struct Reach<'a> {
    universe: &'a Universe<'a>,
    slice: &'a Slice,
    reached: Vec<bool>,
    made: Vec<bool>,
    initialised: Vec<bool>,
    queue: Vec<usize>,
    /// Whether everything that is made counts as called.
    follows_objects: bool,
}

impl<'a> Reach<'a> {
    fn new(universe: &'a Universe<'a>, slice: &'a Slice) -> Reach<'a> {
        Reach {
            universe,
            slice,
            reached: vec![false; slice.methods.len()],
            made: vec![false; universe.n_classes()],
            initialised: vec![false; universe.n_classes()],
            queue: Vec::new(),
            follows_objects: true,
        }
    }

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
                self.refer(slice.methods[method].class, lambda.target);
            }
            if self.follows_objects {
                facts.creations.iter().for_each(|creation| self.make(creation.class));
            }
        }
    }

    /// Whoever gets the lambda may call it: a reference to a constructor makes objects, and, like one to a
    /// static method, initialises the class.
    fn refer(&mut self, maker: ClassId, target: MethodId) {
        self.reach_id(target);
        if let Some(class) = needed_by_reference(self.universe, maker, target) {
            self.initialise(class);
        }
        let program = self.universe.program;
        if self.follows_objects && program.method(target).1.name == program.known.init {
            self.make(target.class);
        }
    }

    fn initialise(&mut self, class: ClassId) {
        if std::mem::replace(&mut self.initialised[class.index()], true) {
            return;
        }
        for above in self.universe.initialised_with(class) {
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
