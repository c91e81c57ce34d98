//! All methods that matter: the judged ones and what they can reach, with their facts.
//!
//! Found in waves: the bodies of one wave are read in parallel, and what they call that is new is the
//! next wave, in the order of ids. Methods of platform classes are here only as callees of others.

use program::{ClassId, MethodId};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::extract::{Net, Nets, extract_facts};
use super::facts::{Call, Facts, What};
use super::path::{Lock, Paths, Root};
use super::universe::Universe;

pub(crate) struct Slice {
    pub methods: Vec<MethodId>,
    pub facts: Vec<Facts>,
    index: FxHashMap<MethodId, u32>,
    /// Lambdas by the interface that they implement: method and position in its facts.
    lambdas: FxHashMap<ClassId, Vec<(u32, u32)>>,
}

impl Slice {
    pub(crate) fn index(&self, method: MethodId) -> Option<usize> {
        self.index.get(&method).map(|&index| index as usize)
    }

    /// Notes again where lambdas are made.
    pub(crate) fn index_lambdas(&mut self) {
        self.lambdas.clear();
        for (index, facts) in self.facts.iter().enumerate() {
            for (position, lambda) in facts.lambdas.iter().enumerate() {
                let sites = self.lambdas.entry(lambda.interface).or_default();
                sites.push((index as u32, position as u32));
            }
        }
    }

    /// The lambdas that may stand behind an interface; none where they are too many to follow.
    pub(crate) fn lambdas_of(&self, interface: ClassId) -> &[(u32, u32)] {
        const MANY: usize = 6;
        let all = self.lambdas.get(&interface).map_or(&[][..], Vec::as_slice);
        if all.len() > MANY { &[] } else { all }
    }
}

/// Reads the judged methods and everything that they reach.
pub(crate) fn gather_slice(universe: &Universe<'_>, paths: &Paths, judged: &[ClassId]) -> Slice {
    let mut slice = Slice {
        methods: Vec::new(),
        facts: Vec::new(),
        index: FxHashMap::default(),
        lambdas: FxHashMap::default(),
    };
    let mut wave: Vec<MethodId> = Vec::new();
    for class in judged.iter().filter_map(|&id| universe.program.class(id)) {
        wave.extend(class.methods().map(|(id, _)| id).filter(|&id| universe.has_code(id)));
    }
    slice.read(universe, paths, wave, 0);
    slice
}

impl Slice {
    /// Reads what calls of other code than the platform's turned out to run since, and what the platform may
    /// call of the objects of known classes that it is handed; whether there was any.
    pub(crate) fn extend(
        &mut self,
        universe: &Universe<'_>,
        paths: &Paths,
        handed: impl Fn(&Call) -> Vec<ClassId>,
    ) -> bool {
        let own = self.methods.iter().zip(&self.facts);
        let own = own.filter(|(method, _)| !universe.is_platform(method.class));
        let mut wave: Vec<MethodId> = Vec::new();
        let mut classes: Vec<ClassId> = Vec::new();
        for (_, facts) in own {
            note_reached(universe, facts, |method| wave.push(method));
            for event in &facts.events {
                if let What::Call(call) = &event.what
                    && universe.is_platform(call.resolved.class)
                {
                    classes.extend(handed(call));
                }
            }
        }
        classes.sort_unstable();
        classes.dedup();
        wave.extend(classes.into_iter().flat_map(|it| universe.methods_of(it)));
        wave.retain(|&method| self.index(method).is_none());
        wave.sort_unstable();
        wave.dedup();
        let is_more = !wave.is_empty();
        if is_more {
            self.read(universe, paths, wave, 1);
        }
        is_more
    }

    /// Reads these methods and everything that they reach; those of the platform are so many calls deep.
    fn read(
        &mut self,
        universe: &Universe<'_>,
        paths: &Paths,
        mut wave: Vec<MethodId>,
        depth: usize,
    ) {
        /// Deeper into the platform no judged object is found any more.
        const PLATFORM_DEPTH: usize = 5;
        let is_platform = |method: &MethodId| universe.is_platform(method.class);
        let mut depths: Vec<usize> =
            wave.iter().map(|it| if is_platform(it) { depth } else { 0 }).collect();
        let mut seen: FxHashSet<MethodId> = self.methods.iter().chain(&wave).copied().collect();
        while !wave.is_empty() {
            let nets = Nets::default();
            let facts: Vec<Facts> = wave
                .par_iter()
                .with_min_len(64)
                .map(|&method| extract_facts(universe, paths, method, &nets))
                .collect();
            let mut next: Vec<(MethodId, usize)> = Vec::new();
            for (facts, &depth) in facts.iter().zip(&depths) {
                note_reached(universe, facts, |method| {
                    let below = if is_platform(&method) { depth + 1 } else { 0 };
                    if below <= PLATFORM_DEPTH && seen.insert(method) {
                        next.push((method, below));
                    }
                });
            }
            self.methods.extend(&wave);
            self.facts.extend(facts);
            next.sort_unstable();
            (wave, depths) = next.into_iter().unzip();
        }
        for (index, &method) in self.methods.iter().enumerate() {
            self.index.insert(method, index as u32);
        }
        settle_nets(universe, paths, self);
        self.index_lambdas();
    }
}

fn note_reached(universe: &Universe<'_>, facts: &Facts, mut each: impl FnMut(MethodId)) {
    for event in &facts.events {
        match &event.what {
            What::Call(call) => {
                call.targets.all().for_each(&mut each);
            }
            What::Init(class) => {
                // The platform's own initialisers do not lead back to judged code.
                if !universe.is_platform(*class) {
                    let chain = universe.program.class(*class);
                    let chain = chain.map(|it| &universe.program.ancestry(it).superclasses);
                    for &class in chain.into_iter().flatten() {
                        universe.initialiser(class).into_iter().for_each(&mut each);
                    }
                }
            }
            What::Acquire(_)
            | What::Wait { .. }
            | What::Notify { .. }
            | What::Join(_)
            | What::Spawn(_) => {}
        }
    }
    for lambda in &facts.lambdas {
        if universe.has_code(lambda.target) {
            each(lambda.target);
        }
    }
}

/// Methods that return with a lock of `java.util.concurrent` held, or give one back, change what their
/// callers hold: those are read again, until nothing changes or a few calls deep.
fn settle_nets(universe: &Universe<'_>, paths: &Paths, slice: &mut Slice) {
    const DEPTH: usize = 3;
    let mut nets = Nets::default();
    for _ in 0..DEPTH {
        let before = nets.len();
        for (method, facts) in slice.methods.iter().zip(&slice.facts) {
            let visible = |lock: &&Lock| is_known_to_callers(paths, lock);
            let net = Net {
                held: facts.left_held.iter().filter(visible).copied().collect(),
                released: facts.left_released.iter().filter(visible).copied().collect(),
            };
            if net != Net::default() {
                nets.insert(*method, net);
            }
        }
        if nets.len() == before {
            return;
        }
        let again: Vec<usize> = (0..slice.facts.len())
            .filter(|&it| calls_one(&nets, &slice.facts[it]).is_some())
            .collect();
        let methods = &slice.methods;
        let renewed: Vec<Facts> = again
            .par_iter()
            .map(|&index| extract_facts(universe, paths, methods[index], &nets))
            .collect();
        for (index, facts) in again.into_iter().zip(renewed) {
            slice.facts[index] = facts;
        }
    }
    // What callers still farther up hold is not known.
    for facts in &mut slice.facts {
        let net = calls_one(&nets, facts);
        let lock = net.and_then(|it| it.held.first().or(it.released.first()).copied());
        facts.unbalanced = facts.unbalanced.or(lock.map(|it| (0, it)));
    }
}

/// Whether those who call a method have a name for the lock that it leaves held or not held.
pub(crate) fn is_known_to_callers(paths: &Paths, lock: &Lock) -> bool {
    match paths.of(lock.val.path).root {
        Root::Param(_) | Root::Static(_) | Root::Class(_) => true,
        Root::Text(_) | Root::Alloc(..) | Root::Result(_) | Root::Local(_) | Root::Unknown => false,
    }
}

/// What a call in the body changes about the locks that are held.
fn calls_one<'n>(nets: &'n Nets, facts: &Facts) -> Option<&'n Net> {
    facts.events.iter().find_map(|event| match &event.what {
        What::Call(call) => call.targets.methods.iter().find_map(|target| nets.get(target)),
        What::Acquire(_)
        | What::Init(_)
        | What::Wait { .. }
        | What::Notify { .. }
        | What::Join(_)
        | What::Spawn(_) => None,
    })
}
