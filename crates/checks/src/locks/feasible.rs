//! Whether threads can really be in the places that a circle needs, all at once.
//!
//! The circle says which wanted lock is which held one. From that follows what else must be one object:
//! fields that are set once and never shared lead back to their owners. The circle cannot happen if two
//! threads would then have to hold the same lock, if one would wait for what it has, or if an object
//! would have to be older than itself. Only certain equalities count here; whether locks *may* be the
//! same was decided before.

use program::{ClassId, FieldId};

use super::context::Context;
use super::fields::Age;
use super::names::lock_name;
use super::path::{Lock, Mode, Path, Root, Step};
use super::summary::Pair;

/// One thread of a circle: where it starts, and the pair that it is in.
#[derive(Clone, Copy)]
pub(crate) struct Role<'a> {
    /// Position of the entry method in the slice.
    pub entry: usize,
    pub pair: &'a Pair,
}

/// `None` if nothing speaks against the circle, in which each role wants what the next one holds.
pub(crate) fn refute(context: &Context<'_>, roles: &[Role<'_>]) -> Option<String> {
    too_much_guessed(context, roles)
        .or_else(|| one_thread(context, roles))
        .or_else(|| one_object(context, roles))
        .or_else(|| contradiction(context, roles))
}

/// Calls of which it is open what they run, and locks of which only the type is known, add up.
fn too_much_guessed(context: &Context<'_>, roles: &[Role<'_>]) -> Option<String> {
    let by_type = |lock: &Lock| match context.paths.of(lock.val.path).root {
        Root::Alloc(method, _) if context.runs_once(method) => 0,
        Root::Result(_) | Root::Local(_) | Root::Unknown | Root::Alloc(..) => 2,
        Root::Param(_) | Root::Static(_) | Root::Class(_) | Root::Text(_) => 0,
    };
    let one =
        |role: &Role<'_>| role.pair.doubt + by_type(&role.pair.held) + by_type(&role.pair.wanted);
    let doubt: u16 = roles.iter().map(one).sum();
    (doubt > context.universe.most_doubt())
        .then(|| "too many calls on the way leave open what they run".to_owned())
}

/// The thread that runs `main` is one.
fn one_thread(context: &Context<'_>, roles: &[Role<'_>]) -> Option<String> {
    let n_main =
        roles.iter().filter(|role| !role.pair.is_spawned && context.is_main(role.entry)).count();
    (n_main > 1).then(|| "only the main thread runs this code".to_owned())
}

/// Two locks of a class of which there is only one object.
fn one_object(context: &Context<'_>, roles: &[Role<'_>]) -> Option<String> {
    let classes: Vec<ClassId> = roles
        .iter()
        .filter(|role| context.paths.of(role.pair.held.val.path).steps().is_empty())
        .filter_map(|role| role.pair.held.val.class)
        .collect();
    let twice = |class: &&ClassId| classes.iter().filter(|it| it == class).count() > 1;
    let single = classes.iter().filter(twice).find(|&&class| context.is_single(class))?;
    Some(format!("there is only one {}", super::names::class_name(context, *single)))
}

/// Objects of the circle, as far as they are told apart.
struct Objects<'a> {
    context: &'a Context<'a>,
    /// The thread that a path belongs to, or none for what all threads share.
    terms: Vec<(Option<usize>, Path)>,
    /// Union-find.
    parent: Vec<usize>,
}

impl Objects<'_> {
    fn term(&mut self, thread: usize, path: Path) -> usize {
        let owner = if self.is_shared(&path) { None } else { Some(thread) };
        if let Some(known) = self.terms.iter().position(|it| *it == (owner, path)) {
            return known;
        }
        if let Some(base) = path.base() {
            self.term(thread, base);
        }
        self.terms.push((owner, path));
        self.parent.push(self.parent.len());
        self.terms.len() - 1
    }

    fn is_shared(&self, path: &Path) -> bool {
        match path.root {
            // Even if it may change, two threads that meet here read it at about the same time.
            Root::Static(_) | Root::Class(_) | Root::Text(_) => true,
            Root::Alloc(method, _) => self.context.runs_once(method),
            Root::Param(_) | Root::Result(_) | Root::Local(_) | Root::Unknown => false,
        }
    }

    fn is_stable(&self, field: FieldId) -> bool {
        self.context.fields.is_stable(self.context.universe, field)
    }

    fn find(&self, mut term: usize) -> usize {
        while self.parent[term] != term {
            term = self.parent[term];
        }
        term
    }

    fn unite(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b)] = a.min(b);
        a != b
    }

    fn base_of(&self, term: usize) -> Option<(usize, Step)> {
        let (owner, path) = self.terms[term];
        let (base, last) = (path.base()?, path.last()?);
        let base = self.terms.iter().position(|it| *it == (owner, base))?;
        Some((base, last))
    }

    /// Equal objects have equal fields that are set once; fields that are never shared have one owner.
    fn close(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for a in 0..self.terms.len() {
                for b in 0..a {
                    let (Some((base_a, step_a)), Some((base_b, step_b))) =
                        (self.base_of(a), self.base_of(b))
                    else {
                        continue;
                    };
                    if step_a != step_b {
                        continue;
                    }
                    let (lasting, owned) = self.kind_of(step_a);
                    if lasting && self.find(base_a) == self.find(base_b) {
                        changed |= self.unite(a, b);
                    }
                    if owned && self.find(a) == self.find(b) {
                        changed |= self.unite(base_a, base_b);
                    }
                }
            }
        }
    }

    /// Whether a step always leads to the same object, and whether no two objects share it.
    fn kind_of(&self, step: Step) -> (bool, bool) {
        match step {
            Step::Field(field) => {
                let facts = self.context.fields.of(field);
                let owned = facts.is_some_and(|it| it.is_fresh && it.age == Age::Younger);
                (self.is_stable(field), owned && self.is_stable(field))
            }
            Step::Element => (false, false),
            Step::ReadLock | Step::WriteLock | Step::Condition => (true, true),
        }
    }

    /// Whether some object would have to be older than itself.
    fn is_age_circular(&self) -> bool {
        let mut older: Vec<(usize, usize)> = Vec::new();
        for term in 0..self.terms.len() {
            let Some((base, step)) = self.base_of(term) else { continue };
            let age = match step {
                Step::Field(field) => self.context.fields.of(field).map(|facts| facts.age),
                Step::Element | Step::ReadLock | Step::WriteLock | Step::Condition => None,
            };
            match age {
                Some(Age::Younger) => older.push((self.find(base), self.find(term))),
                Some(Age::Older) => older.push((self.find(term), self.find(base))),
                Some(Age::Any) | None => {}
            }
        }
        let start_points: Vec<usize> = older.iter().map(|&(from, _)| from).collect();
        start_points.into_iter().any(|start| {
            let mut reached = vec![start];
            let mut next = 0;
            while let Some(&at) = reached.get(next) {
                next += 1;
                for &(from, to) in older.iter().filter(|(from, _)| *from == at) {
                    let _ = from;
                    if to == start {
                        return true;
                    }
                    if !reached.contains(&to) {
                        reached.push(to);
                    }
                }
            }
            false
        })
    }

    /// Two objects that are certainly different and would have to be one.
    fn is_split(&self) -> bool {
        let fixed = |term: usize| {
            let (_, path) = self.terms[term];
            let is_root = path.steps().is_empty();
            match path.root {
                Root::Class(_) | Root::Text(_) => is_root,
                Root::Static(field) => {
                    is_root
                        && self.is_stable(field)
                        && self.context.fields.of(field).is_some_and(|facts| facts.is_fresh)
                }
                Root::Alloc(method, _) => is_root && self.context.runs_once(method),
                Root::Param(_) | Root::Result(_) | Root::Local(_) | Root::Unknown => false,
            }
        };
        let terms = 0..self.terms.len();
        terms.clone().any(|a| {
            fixed(a) && terms.clone().any(|b| b < a && fixed(b) && self.find(a) == self.find(b))
        })
    }
}

/// Which parameters of the roles are one object, and how the objects hang together.
pub(crate) struct Bindings {
    /// Thread and parameter to object.
    parameters: Vec<((usize, u16), usize)>,
    classes: Vec<(usize, Option<ClassId>)>,
}

impl Bindings {
    pub(crate) fn object(&self, thread: usize, parameter: u16) -> Option<usize> {
        let found = self.parameters.iter().find(|(it, _)| *it == (thread, parameter));
        found.map(|&(_, object)| object)
    }

    pub(crate) fn class(&self, object: usize) -> Option<ClassId> {
        self.classes.iter().find(|(it, _)| *it == object).and_then(|&(_, class)| class)
    }
}

/// What the circle makes one object. Only equalities that the circle needs are here.
pub(crate) fn bind(context: &Context<'_>, roles: &[Role<'_>]) -> Bindings {
    let mut objects = Objects { context, terms: Vec::new(), parent: Vec::new() };
    let mut held = Vec::new();
    let mut wanted = Vec::new();
    let mut classes: Vec<(usize, Option<ClassId>)> = Vec::new();
    for (thread, role) in roles.iter().enumerate() {
        for (lock, terms) in [(&role.pair.held, &mut held), (&role.pair.wanted, &mut wanted)] {
            let term = objects.term(thread, context.paths.of(lock.val.path));
            classes.push((term, lock.val.class));
            terms.push(term);
        }
    }
    for (thread, &wanted) in wanted.iter().enumerate() {
        objects.unite(wanted, held[(thread + 1) % roles.len()]);
    }
    objects.close();
    let mut bindings = Bindings { parameters: Vec::new(), classes: Vec::new() };
    for term in 0..objects.terms.len() {
        let (owner, path) = objects.terms[term];
        let object = objects.find(term);
        if let (Some(thread), Root::Param(index), true) =
            (owner, path.root, path.steps().is_empty())
        {
            bindings.parameters.push(((thread, index), object));
            let entry = context.slice.methods[roles[thread].entry];
            let declared = super::context::parameter_classes(context.universe, entry);
            let class = declared.get(usize::from(index)).copied().flatten();
            classes.push((term, class));
        }
    }
    for (term, class) in classes {
        let object = objects.find(term);
        match bindings.classes.iter_mut().find(|(it, _)| *it == object) {
            Some((_, known)) => *known = context.universe.narrower(*known, class),
            None => bindings.classes.push((object, class)),
        }
    }
    bindings
}

fn contradiction(context: &Context<'_>, roles: &[Role<'_>]) -> Option<String> {
    let mut objects = Objects { context, terms: Vec::new(), parent: Vec::new() };
    let term = |objects: &mut Objects<'_>, thread: usize, lock: &Lock| {
        objects.term(thread, context.paths.of(lock.val.path))
    };
    let mut held: Vec<Vec<(usize, Lock)>> = Vec::new();
    let mut wanted = Vec::new();
    for (thread, role) in roles.iter().enumerate() {
        let locks = [role.pair.held].into_iter().chain(role.pair.gates.iter().copied());
        held.push(locks.map(|lock| (term(&mut objects, thread, &lock), lock)).collect());
        wanted.push(term(&mut objects, thread, &role.pair.wanted));
    }
    for (thread, &wanted) in wanted.iter().enumerate() {
        let next = (thread + 1) % roles.len();
        objects.unite(wanted, held[next][0].0);
    }
    objects.close();
    for (a, locks_a) in held.iter().enumerate() {
        for (b, locks_b) in held.iter().enumerate().filter(|(b, _)| *b > a) {
            let _ = b;
            for (at_a, lock_a) in locks_a {
                let same = locks_b.iter().find(|(at_b, lock_b)| {
                    objects.find(*at_a) == objects.find(*at_b) && exclude(lock_a.mode, lock_b.mode)
                });
                if same.is_some() {
                    return Some(format!("gate lock {}", lock_name(context, lock_a)));
                }
            }
        }
    }
    for (thread, role) in roles.iter().enumerate() {
        let own = held[thread].iter().find(|(at, lock)| {
            objects.find(*at) == objects.find(wanted[thread])
                && !(lock.mode == Mode::Read && role.pair.wanted.mode == Mode::Write)
        });
        if own.is_some() && role.pair.is_reentrant && roles.len() > 1 {
            let name = lock_name(context, &role.pair.wanted);
            return Some(format!("the thread holds {name} already"));
        }
    }
    if objects.is_split() {
        return Some("the locks are different objects".to_owned());
    }
    objects
        .is_age_circular()
        .then(|| "one object owns the other, and never the other way round".to_owned())
}

/// Whether two threads cannot hold the lock in these ways at once.
fn exclude(a: Mode, b: Mode) -> bool {
    !(a == Mode::Read && b == Mode::Read)
}

/// Whether wanting in one way waits for a holder in the other.
pub(crate) fn waits_for(wanted: Mode, held: Mode) -> bool {
    match (wanted, held) {
        (Mode::Monitor, Mode::Monitor)
        | (Mode::Exclusive, Mode::Exclusive)
        | (Mode::Init, Mode::Init)
        | (Mode::Read, Mode::Write)
        | (Mode::Write, Mode::Read | Mode::Write) => true,
        (
            Mode::Monitor
            | Mode::Exclusive
            | Mode::Init
            | Mode::Read
            | Mode::Write
            | Mode::Signal
            | Mode::Wake
            | Mode::Done,
            _,
        ) => false,
    }
}
