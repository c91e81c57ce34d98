//! The objects of a circle: which are certainly one, and which cannot be.
//!
//! Each thread names objects by paths. What the circle makes one is united, and fields that are set
//! once carry that on. A name that may mean another object each time (an element of an array, an object
//! of which only the type is known) is an object of its own wherever it is used.

use program::{FieldId, MethodId};

use super::context::{Context, is_lasting};
use super::fields::Age;
use super::path::{Path, Root, Step};
use super::summary::Link;

struct Term {
    /// The thread that names it so, or none for what all threads share.
    owner: Option<usize>,
    path: Path,
}

pub(crate) struct Objects<'a> {
    pub(super) context: &'a Context<'a>,
    terms: Vec<Term>,
    /// An object, the step from it, and where that leads.
    edges: Vec<(usize, Step, usize)>,
    /// Union-find.
    parent: Vec<usize>,
    /// What was there before what, besides what the steps say.
    older: Vec<(usize, usize)>,
    /// For a proof: a name whose fields may change may mean another object each time.
    is_strict: bool,
}

impl<'a> Objects<'a> {
    pub(crate) fn new(context: &'a Context<'a>, is_strict: bool) -> Objects<'a> {
        Objects {
            context,
            terms: Vec::new(),
            edges: Vec::new(),
            parent: Vec::new(),
            older: Vec::new(),
            is_strict,
        }
    }

    pub(crate) fn term(&mut self, thread: usize, path: Path) -> usize {
        let owner = if self.is_shared(&path) { None } else { Some(thread) };
        let known = |it: &Term| it.owner == owner && it.path == path;
        let lasts = || is_lasting(self.context, self.context.paths.intern(path));
        if is_one_object(&path)
            && (!self.is_strict || lasts())
            && let Some(known) = self.terms.iter().position(known)
        {
            return known;
        }
        let base = path.base().map(|base| self.term(thread, base));
        let term = self.push(owner, path);
        if let (Some(base), Some(step)) = (base, path.last()) {
            self.edges.push((base, step, term));
        }
        term
    }

    fn push(&mut self, owner: Option<usize>, path: Path) -> usize {
        self.terms.push(Term { owner, path });
        self.parent.push(self.parent.len());
        self.terms.len() - 1
    }

    /// Every name: its number, whose it is, and the path.
    pub(crate) fn all(&self) -> impl Iterator<Item = (usize, Option<usize>, Path)> {
        self.terms.iter().enumerate().map(|(number, it)| (number, it.owner, it.path))
    }

    /// What a method is given was there before what it makes.
    pub(crate) fn order_made(&mut self, thread: usize, entry: MethodId) {
        let roots = |is_meant: fn(Root, MethodId) -> bool| -> Vec<usize> {
            let own = self.all().filter(|it| it.1 == Some(thread) && it.2.steps().is_empty());
            own.filter(|it| is_meant(it.2.root, entry)).map(|it| it.0).collect()
        };
        let given = roots(|root, _| matches!(root, Root::Param(_)));
        let made = roots(|root, entry| matches!(root, Root::Alloc(maker, _) if maker == entry));
        self.older.extend(given.iter().flat_map(|&old| made.iter().map(move |&new| (old, new))));
    }

    /// One of two objects is found through fields of the other.
    pub(crate) fn link(&mut self, thread: usize, link: Link, (held, wanted): (usize, usize)) {
        let (mut from, to) = if link.from_held { (held, wanted) } else { (wanted, held) };
        let path = self.context.paths.of(link.path);
        let steps = path.steps();
        let steps: Vec<Step> = steps[steps.len() - usize::from(link.steps)..].to_vec();
        for (number, &step) in steps.iter().enumerate() {
            let next = if number + 1 == steps.len() {
                to
            } else {
                self.push(Some(thread), Path::new(Root::Unknown))
            };
            if !self.edges.contains(&(from, step, next)) {
                self.edges.push((from, step, next));
            }
            from = next;
        }
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

    pub(crate) fn find(&self, mut term: usize) -> usize {
        while self.parent[term] != term {
            term = self.parent[term];
        }
        term
    }

    pub(crate) fn unite(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b)] = a.min(b);
        a != b
    }

    /// Equal objects have equal fields that are set once; fields that are never shared have one owner.
    pub(crate) fn close(&mut self) {
        let edges = self.edges.clone();
        let mut changed = true;
        while changed {
            changed = false;
            for (number, &(base_a, step_a, a)) in edges.iter().enumerate() {
                for &(base_b, step_b, b) in &edges[..number] {
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

    /// Whether making two objects one would make any of these one as well.
    pub(crate) fn would_unite(&self, a: usize, b: usize, apart: &[usize]) -> bool {
        let mut other = Objects {
            context: self.context,
            terms: Vec::new(),
            edges: self.edges.clone(),
            parent: self.parent.clone(),
            older: Vec::new(),
            is_strict: self.is_strict,
        };
        other.unite(a, b);
        other.close();
        let mut roots: Vec<usize> = apart.iter().map(|&term| other.find(term)).collect();
        roots.sort_unstable();
        roots.windows(2).any(|two| two[0] == two[1])
    }

    /// Whether a step always leads to the same object, and whether no two objects share it.
    fn kind_of(&self, step: Step) -> (bool, bool) {
        match step {
            Step::Field(field) => {
                let facts = self.context.fields.of(field);
                let owned = facts.is_some_and(|it| it.age == Age::Younger);
                (self.is_stable(field), owned && self.is_stable(field))
            }
            Step::Element | Step::Older | Step::Many(_) => (false, false),
            Step::ReadLock | Step::WriteLock | Step::Condition => (true, true),
        }
    }

    /// Whether some object would have to be older than itself.
    pub(crate) fn is_age_circular(&self) -> bool {
        let found = |&(old, new): &(usize, usize)| (self.find(old), self.find(new));
        let mut older: Vec<(usize, usize)> = self.older.iter().map(found).collect();
        for &(base, step, term) in &self.edges {
            let age = match step {
                Step::Field(field) | Step::Many(field) => {
                    self.context.fields.of(field).map(|facts| facts.age)
                }
                Step::Older => Some(Age::Older),
                Step::Element | Step::ReadLock | Step::WriteLock | Step::Condition => None,
            };
            if let Some(owner) = self.owner_of(base, step) {
                older.push((self.find(owner), self.find(term)));
            }
            match age {
                Some(Age::Younger) => older.push((self.find(base), self.find(term))),
                Some(Age::Older) => older.push((self.find(term), self.find(base))),
                Some(Age::Any) | None => {}
            }
        }
        is_circular(&older)
    }

    /// The object that is older than all that the step from this one leads to: one that keeps them in a
    /// collection of its own.
    fn owner_of(&self, base: usize, step: Step) -> Option<usize> {
        let &(owner, through, _) = self.edges.iter().find(|it| it.2 == base)?;
        let is_young =
            matches!(through, Step::Field(field) if self.context.fields.holds_younger(field));
        (step == Step::Element && is_young).then_some(owner)
    }

    /// Why not, if an object would have to come before itself in a chain whose links never turn round.
    pub(crate) fn ordered_by_chain(&self) -> Option<String> {
        let chains = |step: Step| match step {
            Step::Field(field) | Step::Many(field) => {
                let is_chain = self.context.fields.of(field).is_some_and(|facts| facts.is_chain);
                is_chain.then_some(field)
            }
            Step::Element | Step::Older | Step::ReadLock | Step::WriteLock | Step::Condition => {
                None
            }
        };
        let fields = self.edges.iter().filter_map(|&(_, step, _)| chains(step));
        let circular = |field: &FieldId| {
            let is_link = |step: Step| [Step::Field(*field), Step::Many(*field)].contains(&step);
            let edges = self.edges.iter().filter(|(_, step, _)| is_link(*step));
            let order: Vec<(usize, usize)> =
                edges.map(|&(from, _, to)| (self.find(from), self.find(to))).collect();
            is_circular(&order)
        };
        let field = fields.into_iter().find(circular)?;
        let name = super::names::field_name(self.context, field);
        Some(format!("the objects are a chain by {name}, and are locked in its order"))
    }

    /// Two objects that are certainly different and would have to be one.
    pub(crate) fn is_split(&self) -> bool {
        let fixed = |term: usize| {
            let path = self.terms[term].path;
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

/// Whether the name is taken to mean the same object wherever one thread uses it: not some element, nor
/// some object of a type.
fn is_one_object(path: &Path) -> bool {
    match (path.last(), path.root) {
        (Some(Step::Element | Step::Older | Step::Many(_)), _)
        | (None, Root::Result(_) | Root::Local(_) | Root::Unknown) => false,
        (Some(Step::Field(_) | Step::ReadLock | Step::WriteLock | Step::Condition), _)
        | (
            None,
            Root::Param(_) | Root::Static(_) | Root::Class(_) | Root::Text(_) | Root::Alloc(..),
        ) => true,
    }
}

/// Whether the relation leads from something back to itself.
fn is_circular(relation: &[(usize, usize)]) -> bool {
    relation.iter().any(|&(start, _)| {
        let mut reached = vec![start];
        let mut next = 0;
        while let Some(&at) = reached.get(next) {
            next += 1;
            for &(_, to) in relation.iter().filter(|(from, _)| *from == at) {
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
