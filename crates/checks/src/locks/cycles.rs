//! Circles of pairs: who wants what the next one holds.
//!
//! Pairs that end at a method which anybody can call are the edges of a graph whose nodes are locks as
//! far as they can be told apart: a field, a class object, or the type of an object that callers hand
//! in. Two nodes meet where the locks may be one object. Of each circle the easiest feasible way through
//! its pairs is kept, or, if there is none, the reason.

mod groups;

use program::{ClassId, FieldId, MethodId, Name};
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::Context;
use super::feasible::{Role, doubt, refute, waits_for};
use super::path::{Lock, Mode, Root, Step};
use super::summary::{Pair, Summary};

/// A circle: each role wants what the next one holds.
#[derive(Debug, Clone)]
pub(crate) struct Circle {
    pub roles: Vec<Seat>,
    /// For each role how many other pairs would do.
    pub alternatives: Vec<Vec<Seat>>,
    pub pruned: Option<String>,
    /// Why it may be impossible all the same, if nobody sees it happen.
    pub doubt: Option<String>,
    /// The locks by name, subclasses by the topmost class that is locked.
    pub family: Vec<String>,
    /// The outermost classes that the locks belong to, and whether they are one lock of two objects:
    /// circles that agree in this are told as one.
    pub group: (Vec<String>, bool),
    /// Whether the locked objects are of the very class that the group is called by.
    pub is_typical: bool,
}

/// A pair by the method that anybody can call and its position there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Seat {
    pub entry: usize,
    pub record: usize,
}

/// What of a lock is the same for all who may contend for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Field(FieldId),
    Class(ClassId),
    Text(Name),
    Alloc(MethodId, u16),
    Type(ClassId),
    Anything,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    key: Key,
    /// Where it is some object of this class.
    class: Option<ClassId>,
    exact: bool,
    is_open: bool,
    mode: Mode,
}

impl Context<'_> {
    /// Whether the lock is an object that may also be known in other ways than the last step of its
    /// path: not one made only to be locked.
    pub(crate) fn is_open(&self, lock: &Lock) -> bool {
        self.node(lock).is_open
    }

    fn is_plain(&self, class: Option<ClassId>) -> bool {
        let program = self.universe.program;
        class.is_none_or(|id| program.class_name(id) == program.known.object)
    }

    /// Whether the field holds an object of a library that the owner keeps as a part of itself, so that
    /// nobody locks it in another way: a map of its own, say.
    fn is_part(&self, field: FieldId, class: Option<ClassId>) -> bool {
        let Some(class) = class else { return true };
        let program = self.universe.program;
        let package = |id: ClassId| program.package(program.class_name(id));
        let is_fresh = self.fields.of(field).is_some_and(|facts| facts.is_fresh);
        self.is_vague(class) && !self.is_link(field, class)
            || is_fresh && package(class) != package(field.class)
    }

    /// Whether so many objects have the type that it does not tell which are meant.
    fn is_vague(&self, class: ClassId) -> bool {
        const MANY: u32 = 12;
        self.universe.is_platform(class)
            || self.population[class.index()] > MANY
            || self.universe.program.class(class).is_some_and(program::Class::is_interface)
    }

    /// Whether the field links objects of one family, as a list of nodes does.
    fn is_link(&self, field: FieldId, class: ClassId) -> bool {
        self.universe.program.is_subtype(class, field.class) == Some(true)
    }

    fn node(&self, lock: &Lock) -> Node {
        let path = self.paths.of(lock.val.path);
        let (class, exact) = (lock.val.class, lock.val.exact);
        let field = match (path.last(), path.root) {
            (Some(Step::Field(field)), _) | (None, Root::Static(field)) => Some(field),
            (
                Some(
                    Step::Element
                    | Step::Older
                    | Step::Many(_)
                    | Step::ReadLock
                    | Step::WriteLock
                    | Step::Condition,
                ),
                _,
            )
            | (
                None,
                Root::Param(_)
                | Root::Class(_)
                | Root::Text(_)
                | Root::Alloc(..)
                | Root::Result(_)
                | Root::Local(_)
                | Root::Unknown,
            ) => None,
        };
        let made_for_locking = self.is_plain(class) || lock.mode != Mode::Monitor;
        if let Some(field) = field {
            let is_open = !made_for_locking && !self.is_part(field, class);
            let key = match class {
                Some(class) if is_open => Key::Type(class),
                Some(_) | None => Key::Field(field),
            };
            return Node { key, class, exact, is_open, mode: lock.mode };
        }
        let (key, is_open) = match (path.last(), path.root) {
            (None, Root::Class(class)) => (Key::Class(class), false),
            (None, Root::Text(text)) => (Key::Text(text), false),
            (None, Root::Alloc(method, pc)) if self.is_plain(class) => {
                (Key::Alloc(method, pc), false)
            }
            (None, Root::Alloc(..) | Root::Param(_) | Root::Static(_)) => {
                (class.map_or(Key::Anything, Key::Type), true)
            }
            (Some(_), _) | (None, Root::Result(_) | Root::Local(_) | Root::Unknown) => {
                // Of some object nothing but the type is known: too little if it is Object.
                let is_vague = self.is_plain(class) || class.is_some_and(|it| self.is_vague(it));
                (class.map_or(Key::Anything, Key::Type), !is_vague)
            }
        };
        Node { key, class, exact, is_open, mode: lock.mode }
    }

    /// Whether two locks may be one object, however they are used.
    pub(crate) fn may_be_one(&self, a: &Lock, b: &Lock) -> bool {
        let plain = |lock: &Lock| {
            let mode = if lock.mode == Mode::Monitor { Mode::Monitor } else { Mode::Exclusive };
            self.node(&Lock { mode, ..*lock })
        };
        a.val.path == b.val.path || self.may_be_same(&plain(a), &plain(b))
    }

    fn may_be_same(&self, a: &Node, b: &Node) -> bool {
        if a.key == b.key && a.key != Key::Anything {
            return true;
        }
        if !a.is_open || !b.is_open {
            return false;
        }
        // An object declared as nothing but Object is taken to be one made for locking.
        if self.is_plain(a.class) != self.is_plain(b.class) {
            return false;
        }
        let below = |a: Option<ClassId>, b: Option<ClassId>| match (a, b) {
            (Some(a), Some(b)) => self.universe.program.is_subtype(a, b) != Some(false),
            _ => true,
        };
        match (a.exact, b.exact) {
            (true, true) => a.class == b.class,
            (true, false) => below(a.class, b.class),
            (false, true) => below(b.class, a.class),
            (false, false) => self.universe.compatible(a.class, b.class),
        }
    }
}

/// How easy a way through a circle is: whether there is doubt, what it costs, and the doubt.
type Way = (bool, u32, Option<String>);

/// The pairs between two nodes.
struct Edge {
    held: usize,
    wanted: usize,
    seats: Vec<Seat>,
}

struct Graph<'a> {
    context: &'a Context<'a>,
    summaries: &'a [Summary],
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// For each node those that may be the same lock, itself included.
    same: Vec<Vec<usize>>,
    /// For each node the edges that hold it.
    holding: Vec<Vec<usize>>,
    /// The classes whose methods lock their own object.
    types: FxHashSet<ClassId>,
    /// Locks that somebody takes for writing.
    written: Vec<Node>,
}

/// Every circle of one or two edges, and for each edge in none of them one that is longer.
pub(crate) fn find_circles(context: &Context<'_>, summaries: &[Summary]) -> Vec<Circle> {
    let graph = Graph::new(context, summaries);
    let mut circles = Vec::new();
    for first in 0..graph.edges.len() {
        for second in graph.closing(first) {
            if second >= first && graph.is_ours(&[first, second]) {
                circles.extend(graph.circle(&[first, second]));
            }
        }
    }
    let in_circle: FxHashSet<(usize, usize)> = circles
        .iter()
        .filter(|circle: &&Circle| circle.pruned.is_none())
        .flat_map(|circle| circle.roles.iter().map(|seat| (seat.entry, seat.record)))
        .collect();
    for first in 0..graph.edges.len() {
        let seats = &graph.edges[first].seats;
        if !seats.iter().any(|seat| in_circle.contains(&(seat.entry, seat.record))) {
            circles.extend(graph.longer(first));
        }
    }
    circles.extend(graph.alone());
    widen_groups(&mut circles);
    circles
}

/// Very many groups are told by package: whoever reads about a whole platform wants the neighbourhood.
fn widen_groups(circles: &mut [Circle]) {
    const READABLE: usize = 40;
    let shown = circles.iter().filter(|circle| circle.pruned.is_none());
    let groups: FxHashSet<&(Vec<String>, bool)> = shown.map(|circle| &circle.group).collect();
    if groups.len() <= READABLE {
        return;
    }
    for circle in circles.iter_mut().filter(|circle| !circle.group.1) {
        for name in &mut circle.group.0 {
            name.truncate(name.rfind('.').unwrap_or(name.len()));
        }
        circle.group.0.sort();
        circle.group.0.dedup();
    }
}

/// The locks that judged code takes for writing.
fn written(context: &Context<'_>, summaries: &[Summary]) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    for (entry, summary) in summaries.iter().enumerate() {
        if !context.is_start(entry) {
            continue;
        }
        for acquire in summary.acquires.iter().filter(|it| it.lock.mode == Mode::Write) {
            let node = context.node(&acquire.lock);
            if !nodes.contains(&node) {
                nodes.push(node);
            }
        }
    }
    nodes
}

/// Classes whose methods lock the object that they are called on.
fn own_locks(context: &Context<'_>, summaries: &[Summary]) -> FxHashSet<ClassId> {
    let this = context.paths.root(Root::Param(0));
    let mut classes = FxHashSet::default();
    for (entry, summary) in summaries.iter().enumerate() {
        let is_own = |lock: &Lock| lock.val.path == this && lock.mode == Mode::Monitor;
        if summary.acquires.iter().any(|it| it.depth == 0 && is_own(&it.lock)) {
            classes.insert(context.slice.methods[entry].class);
        }
    }
    classes.retain(|&class| !context.is_plain(Some(class)));
    classes
}

impl<'a> Graph<'a> {
    fn new(context: &'a Context<'a>, summaries: &'a [Summary]) -> Graph<'a> {
        let mut graph = Graph {
            context,
            summaries,
            nodes: Vec::new(),
            edges: Vec::new(),
            same: Vec::new(),
            holding: Vec::new(),
            types: FxHashSet::default(),
            written: written(context, summaries),
        };
        let mut nodes: FxHashMap<Node, usize> = FxHashMap::default();
        let mut edges: FxHashMap<(usize, usize), usize> = FxHashMap::default();
        for (entry, summary) in summaries.iter().enumerate() {
            if !context.is_start(entry) {
                continue;
            }
            for (record, pair) in summary.pairs.iter().enumerate() {
                let is_wait = matches!(pair.wanted.mode, Mode::Signal | Mode::Done);
                if !context.is_final(entry, pair) || is_wait {
                    continue;
                }
                let mut number = |lock: &Lock| {
                    let node = context.node(lock);
                    *nodes.entry(node).or_insert_with(|| {
                        graph.nodes.push(node);
                        graph.nodes.len() - 1
                    })
                };
                let (held, wanted) = (number(&pair.held), number(&pair.wanted));
                let edge = *edges.entry((held, wanted)).or_insert_with(|| {
                    graph.edges.push(Edge { held, wanted, seats: Vec::new() });
                    graph.edges.len() - 1
                });
                graph.edges[edge].seats.push(Seat { entry, record });
            }
        }
        graph.types = own_locks(context, summaries);
        graph.connect();
        graph
    }

    fn connect(&mut self) {
        let n_nodes = self.nodes.len();
        self.same = (0..n_nodes)
            .map(|a| {
                let may = |b: &usize| self.context.may_be_same(&self.nodes[a], &self.nodes[*b]);
                (0..n_nodes).filter(may).collect()
            })
            .collect();
        self.holding = vec![Vec::new(); n_nodes];
        for (number, edge) in self.edges.iter().enumerate() {
            self.holding[edge.held].push(number);
        }
        for edge in &mut self.edges {
            let summaries = self.summaries;
            edge.seats.sort_by_key(|seat| {
                let pair = &summaries[seat.entry].pairs[seat.record];
                (pair.doubt, pair.gates.len(), pair.depth, *seat)
            });
        }
    }

    fn pair(&self, seat: Seat) -> &'a Pair {
        &self.summaries[seat.entry].pairs[seat.record]
    }

    /// A reader waits for readers too, where a writer may be waiting between them.
    fn waits(&self, wanted: usize, held: usize) -> bool {
        let (wants, holds) = (self.nodes[wanted].mode, self.nodes[held].mode);
        let behind_writer = || {
            let is_written = |it: &Node| self.context.may_be_same(it, &self.nodes[wanted]);
            (wants, holds) == (Mode::Read, Mode::Read) && self.written.iter().any(is_written)
        };
        waits_for(wants, holds) || behind_writer()
    }

    /// The edges that hold what this one wants and want what it holds, ascending.
    fn closing(&self, edge: usize) -> Vec<usize> {
        let Edge { held, wanted, .. } = self.edges[edge];
        let mut found = Vec::new();
        for &node in self.same[wanted].iter().filter(|&&node| self.waits(wanted, node)) {
            for &other in &self.holding[node] {
                let back = self.edges[other].wanted;
                if self.waits(back, held) && self.same[back].contains(&held) {
                    found.push(other);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The shortest circle of more than two edges through this one; told once, by its smallest edge.
    fn longer(&self, first: usize) -> Option<Circle> {
        const LONGEST: usize = 7;
        let start = self.edges[first].held;
        if !self.is_certain(first) {
            return None;
        }
        let mut before: FxHashMap<usize, Option<usize>> = FxHashMap::default();
        before.insert(first, None);
        let mut queue = std::collections::VecDeque::from([(first, 1)]);
        while let Some((edge, length)) = queue.pop_front() {
            let wanted = self.edges[edge].wanted;
            if length > 2 && self.waits(wanted, start) && self.same[wanted].contains(&start) {
                let mut way = vec![edge];
                while let Some(&Some(previous)) = before.get(way.last()?) {
                    way.push(previous);
                }
                way.reverse();
                let is_first = way.iter().all(|&it| it >= first);
                return if is_first && self.is_ours(&way) {
                    self.circle_of_many(&way)
                } else {
                    None
                };
            }
            if length == LONGEST {
                continue;
            }
            for &node in self.same[wanted].iter().filter(|&&node| self.waits(wanted, node)) {
                for &next in self.holding[node].iter().filter(|&&it| self.is_certain(it)) {
                    if let std::collections::hash_map::Entry::Vacant(entry) = before.entry(next) {
                        entry.insert(Some(edge));
                        queue.push_back((next, length + 1));
                    }
                }
            }
        }
        None
    }

    /// Whether some pair of the edge leaves no call open: with three or more, guesses add up.
    fn is_certain(&self, edge: usize) -> bool {
        self.edges[edge].seats.first().is_some_and(|&seat| self.pair(seat).doubt == 0)
    }

    /// Through the easiest pair of each edge.
    fn circle_of_many(&self, edges: &[usize]) -> Option<Circle> {
        let roles: Option<Vec<Seat>> =
            edges.iter().map(|&edge| self.edges[edge].seats.first().copied()).collect();
        let roles = roles?;
        let as_roles: Vec<Role<'_>> =
            roles.iter().map(|&seat| Role { entry: seat.entry, pair: self.pair(seat) }).collect();
        let pruned = refute(self.context, &as_roles);
        let doubt = doubt(self.context, &as_roles);
        let mut family: Vec<String> =
            edges.iter().map(|&edge| self.family_name(self.edges[edge].held)).collect();
        family.sort();
        let alternatives = vec![Vec::new(); roles.len()];
        let group = self.group(edges, &family);
        let is_typical = edges.iter().all(|&edge| self.is_typical(self.edges[edge].held));
        Some(Circle { roles, alternatives, pruned, doubt, family, group, is_typical })
    }

    /// Whether the thread of the pair hangs without any other.
    fn hangs_alone(&self, pair: &Pair) -> bool {
        pair.held.val.path == pair.wanted.val.path
            && waits_for(pair.wanted.mode, pair.held.mode)
            && super::context::is_lasting(self.context, pair.held.val.path)
    }

    /// Pairs in which a thread waits for itself: to write what it reads, or for a lock that cannot be
    /// taken twice.
    fn alone(&self) -> Vec<Circle> {
        let mut circles = Vec::new();
        for (number, edge) in self.edges.iter().enumerate() {
            let itself = edge.seats.iter().find(|&&seat| self.hangs_alone(self.pair(seat)));
            if let Some(&seat) = itself
                && self.is_ours(&[number])
            {
                let family = vec![self.family_name(edge.held)];
                circles.push(Circle {
                    roles: vec![seat],
                    alternatives: vec![Vec::new()],
                    pruned: None,
                    doubt: None,
                    group: (family.clone(), true),
                    is_typical: true,
                    family,
                });
            }
        }
        circles
    }

    /// Whether the judged classes have a part in it: a lock of theirs.
    fn is_ours(&self, edges: &[usize]) -> bool {
        edges.iter().any(|&edge| {
            let Edge { held, wanted, .. } = self.edges[edge];
            self.is_judged(held) || self.is_judged(wanted)
        })
    }

    fn is_judged(&self, node: usize) -> bool {
        let universe = self.context.universe;
        match self.nodes[node].key {
            Key::Field(field) => universe.is_judged(field.class),
            Key::Class(class) | Key::Type(class) => universe.is_judged(class),
            Key::Alloc(method, _) => universe.is_judged(method.class),
            Key::Text(_) | Key::Anything => true,
        }
    }

    /// The easiest feasible way through the pairs of these edges, or why there is none.
    fn circle(&self, edges: &[usize]) -> Option<Circle> {
        const TRIES: usize = 10;
        let seats: Vec<&[Seat]> = edges.iter().map(|&edge| &self.edges[edge].seats[..]).collect();
        let mut reason = None;
        let mut best: Option<(Way, Vec<Seat>)> = None;
        for &first in seats[0].iter().take(TRIES) {
            for &second in seats[1].iter().take(TRIES) {
                let roles = [first, second];
                // What one thread does to itself is told as that.
                if roles.iter().any(|&seat| self.hangs_alone(self.pair(seat))) {
                    continue;
                }
                let as_roles = roles.map(|seat| Role { entry: seat.entry, pair: self.pair(seat) });
                match refute(self.context, &as_roles) {
                    None => {
                        let doubt = doubt(self.context, &as_roles);
                        let cost = roles.iter().map(|&seat| self.cost(seat)).sum();
                        let way = (doubt.is_some(), cost, doubt);
                        if best.as_ref().is_none_or(|(known, _)| way < *known) {
                            best = Some((way, roles.to_vec()));
                        }
                    }
                    Some(why) => {
                        reason.get_or_insert((why, roles.to_vec()));
                    }
                }
            }
        }
        let (roles, pruned, doubt) = match (best, reason) {
            (Some(((_, _, doubt), roles)), _) => (roles, None, doubt),
            (None, Some((why, roles))) => (roles, Some(why), None),
            (None, None) => return None,
        };
        let alternatives = roles
            .iter()
            .zip(&seats)
            .map(|(own, seats)| seats.iter().filter(|it| *it != own).copied().collect())
            .collect();
        let mut family: Vec<String> =
            edges.iter().map(|&edge| self.family_name(self.edges[edge].held)).collect();
        family.sort();
        let group = self.group(edges, &family);
        let is_typical = edges.iter().all(|&edge| self.is_typical(self.edges[edge].held));
        Some(Circle { roles, alternatives, pruned, doubt, family, group, is_typical })
    }

    fn cost(&self, seat: Seat) -> u32 {
        let pair = self.pair(seat);
        u32::from(pair.doubt) * 100 + u32::from(pair.depth) + pair.gates.len() as u32
    }
}
