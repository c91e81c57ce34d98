//! Which methods are pairs, which of them have the same code, and what an edit can reach.
//!
//! Two bodies are the same code if they do the same in [lock step](super::lockstep). A method is
//! unchanged if its code is the same and so is all that it may call and read among the judged classes;
//! a callee that was proved to do what it did counts as unchanged, which is why the order is: edited
//! methods first, then, wave by wave, the callers of those that were not proved ([`Matching::callers`]).
//! What a compiler adds (synthetic members) is no subject: it is looked through where it is called.

use std::collections::{BTreeMap, BTreeSet};

use program::ir::{Body, Edge, InvokeKind, Op, Value, print_body};
use program::{Class, ClassId, Lines, MethodId, Name, Program, Role};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::constants::other_constants;
use super::exceptions::UNTOLD;
use super::lockstep::{Assumptions, Lockstep};
use super::proof::{Edited, OUTSIDE, Proof};
use super::reach::{FRAMES, Loose, Others, PASSED_IN, reach, with_users};
use super::renamed::RENAMED;
use super::renumbered::RENUMBERED;
use super::replaced::{Replaced, replaced};
use super::trial::Examined;
use crate::verdict::{Gap, GapKind};

/// A method in both versions.
#[derive(Debug, Clone)]
pub struct MethodPair {
    pub old: MethodId,
    pub new: MethodId,
    /// Whether its own code differs, rather than something that it calls.
    pub is_edited: bool,
    /// What "the same code" rests on.
    pub assumptions: Vec<&'static str>,
}

/// Methods of fewer instructions are followed wherever they are called.
const SMALL: usize = 6;

const BY_NAME: &str = "it looks up classes or members by name, and some that it may find changed";
/// Why a pair is open that uses what only one version has.
pub const OTHER_OBJECTS: &str = "its code is the same, but it uses objects or members that changed";
const OTHER_CONSTANTS: &str = "it may see constants of an enum whose initialiser changed";

/// How the members of two versions relate.
#[derive(Debug, Default)]
pub struct Matching {
    /// In the order of the new version.
    pub pairs: Vec<MethodPair>,
    /// By pair: those that may call it, or read what it initialises.
    callers: Vec<Vec<usize>>,
    /// By pair: those, and who may get hold of objects that it put into static fields.
    holders: Vec<Vec<usize>>,
    /// Pairs of the same code that reach something that only one version has.
    unsettled: BTreeSet<usize>,
    /// Pairs whose code asks for something that differs, though no code does.
    opaque: BTreeMap<usize, &'static str>,
    /// Pairs that find code by its name: opaque if an edit reaches them.
    by_name: BTreeSet<usize>,
    /// Methods of one version alone that do.
    barred: (FxHashSet<MethodId>, FxHashSet<MethodId>),
    /// Pairs that code outside may call on objects that it was given.
    handed_out: BTreeSet<usize>,
    /// Pairs below which code outside may call what only one version has.
    exposed: BTreeSet<usize>,
    /// Pairs below which objects of classes are made that are of other types of the platform now.
    recasting: BTreeSet<usize>,
    /// Classes with an initialiser, or with constants, that only one version has: old and new.
    initialised: Vec<(ClassId, ClassId)>,
    /// Members that only one version has, by text.
    pub added: Vec<String>,
    pub removed: Vec<String>,
    /// Methods that classes of both versions have from other classes now.
    pub replaced: Vec<Replaced>,
}

impl Matching {
    /// The classes whose initialisers may differ, and what is the same.
    pub fn edited_initialisers(&self, new: &Program) -> Edited {
        let settled = self.settled();
        let alike = settled.iter().filter_map(|&at| self.alike(new, at)).collect();
        let unchanged: FxHashSet<MethodId> =
            settled.into_iter().map(|at| self.pairs[at].old).collect();
        // An initialiser of the same code that calls what changed may leave something else behind.
        let reached = self.pairs.iter().filter(|pair| !unchanged.contains(&pair.old));
        let initialisers: Vec<&MethodPair> =
            reached.filter(|pair| new.method(pair.new).1.name == new.known.clinit).collect();
        let barred = self.barred(new);
        let recasting = self.recasting.iter().map(|&at| self.pairs[at].new).collect();
        let mut edited = Edited { unchanged, alike, barred, recasting, ..Edited::default() };
        edited.has_renamed = self.pairs.iter().any(|pair| pair.assumptions.contains(&RENAMED));
        let of_one = self.initialised.iter().copied();
        for (old, new) in initialisers.iter().map(|it| (it.old.class, it.new.class)).chain(of_one) {
            edited.old.insert(old);
            edited.new.insert(new);
        }
        edited
    }

    /// A pair known to do the same, as proofs may take it: for a function of the arguments and the heap.
    /// Constructors write final fields, which calls that are not followed never do.
    pub fn alike(&self, new: &Program, at: usize) -> Option<(MethodId, MethodId)> {
        let pair = &self.pairs[at];
        let (_, declared) = new.method(pair.new);
        let has_code = !declared.access_flags.is_abstract() && !declared.access_flags.is_native();
        let is_method = declared.name != new.known.init && declared.name != new.known.clinit;
        let is_large = || {
            let body = new.lower(pair.new).ok().flatten();
            body.is_some_and(|body| body.instructions.len() > SMALL)
        };
        let known = [RENAMED, RENUMBERED, FRAMES, PASSED_IN];
        let is_plain = pair.assumptions.iter().all(|it| known.contains(it));
        (has_code && is_method && is_plain && is_large()).then_some((pair.old, pair.new))
    }

    /// Those that use a pair, directly or not, by position.
    pub fn users(&self, at: usize) -> BTreeSet<usize> {
        with_users(&self.callers, [at])
    }

    /// What has to be judged first, by position.
    pub fn edited(&self) -> Vec<usize> {
        let is_open = |at: &usize| self.pairs[*at].is_edited || self.unsettled.contains(at);
        (0..self.pairs.len()).filter(is_open).collect()
    }

    /// Those that may call, or read what is set by, any of `changed`.
    pub fn callers(&self, changed: &[usize]) -> BTreeSet<usize> {
        changed.iter().flat_map(|&at| self.callers[at].iter().copied()).collect()
    }

    /// Those that may catch what these throw, straight or through others.
    pub fn catchers(&self, new: &Program, throwing: &[usize]) -> BTreeSet<usize> {
        let catches = |at: usize| {
            let body = new.lower(self.pairs[at].new).ok().flatten();
            // What ends a `finally` or a lock does not look at the exception.
            body.is_none_or(|body| body.all_handlers().any(|it| it.catch_type.is_some()))
        };
        let (mut found, mut passed) = (BTreeSet::new(), BTreeSet::new());
        let mut left = throwing.to_vec();
        while let Some(at) = left.pop() {
            for &caller in &self.callers[at] {
                if catches(caller) {
                    found.insert(caller);
                } else if passed.insert(caller) {
                    left.push(caller);
                }
            }
        }
        found
    }

    /// Whether only these pairs can call a private method: all of them as given.
    pub fn is_called_by(&self, new: &Program, at: usize, is_known: impl Fn(usize) -> bool) -> bool {
        let (_, declared) = new.method(self.pairs[at].new);
        let mut others = self.callers[at].iter().filter(|&&caller| caller != at).peekable();
        declared.access_flags.is_private()
            && declared.name != new.known.init
            && others.peek().is_some()
            && others.all(|&caller| is_known(caller))
    }

    /// Constructors that call proved ones. What was proved of a constructor holds of objects of its very
    /// class: where it lets others see the object, one of a subclass may do something else.
    pub fn heirs(&self, new: &Program, proved: impl Iterator<Item = usize>) -> BTreeSet<usize> {
        let is_constructor = |at: usize| new.method(self.pairs[at].new).1.name == new.known.init;
        let known =
            proved.filter(|&at| is_constructor(at) && !keeps_to_itself(new, self.pairs[at].new));
        let callers = known.flat_map(|at| self.callers[at].iter().copied());
        callers.filter(|&caller| is_constructor(caller)).collect()
    }

    /// Pairs below which code outside may call something that is not known to be the same.
    pub fn at_risk(&self, is_same: impl Fn(usize) -> bool) -> BTreeSet<usize> {
        let different = self.handed_out.iter().filter(|&&at| !is_same(at));
        let holders = different.flat_map(|&at| self.holders[at].iter().copied());
        with_users(&self.holders, holders.chain(self.exposed.iter().copied()))
    }

    /// Pairs that no proof is asked about, with the reason: they may ask for something that proofs take
    /// to be the same in both versions, and that is not.
    pub fn opaque(&self, new: &Program) -> BTreeMap<usize, &'static str> {
        // The same constant may have another ordinal, so that no object of the enum is shared.
        let is_edited_enum = |at: &usize| {
            let pair = &self.pairs[*at];
            let (class, declared) = new.method(pair.new);
            pair.is_edited && declared.name == new.known.clinit && class.access_flags.is_enum()
        };
        let mut found: BTreeMap<usize, &'static str> = self.opaque.clone();
        for at in (0..self.pairs.len()).filter(is_edited_enum) {
            found.insert(at, OTHER_CONSTANTS);
            for &user in &self.callers[at] {
                found.entry(user).or_insert(OTHER_CONSTANTS);
            }
        }
        let settled: BTreeSet<usize> = self.settled().into_iter().collect();
        for &at in self.by_name.difference(&settled) {
            found.entry(at).or_insert(BY_NAME);
        }
        found
    }

    /// Whether that is open for this reason is nobody's doing: its code asks for something beside the code, or
    /// uses what only one version has.
    pub fn is_beside(&self, at: usize, reason: &str) -> bool {
        self.opaque.get(&at).is_some_and(|it| *it == reason)
            || self.unsettled.contains(&at) && reason == OTHER_OBJECTS
    }

    /// Methods that proofs do not follow, by version: those that are [opaque](Self::opaque), and those of
    /// one version alone that would be.
    pub fn barred(&self, new: &Program) -> (FxHashSet<MethodId>, FxHashSet<MethodId>) {
        let mut barred = self.barred.clone();
        for at in self.opaque(new).into_keys() {
            barred.0.insert(self.pairs[at].old);
            barred.1.insert(self.pairs[at].new);
        }
        barred
    }

    /// One of `changed` that a pair may call.
    pub fn cause(&self, caller: usize, changed: &BTreeSet<usize>) -> Option<&MethodPair> {
        let cause = changed.iter().find(|&&at| self.callers[at].contains(&caller))?;
        Some(&self.pairs[*cause])
    }

    /// Pairs of the same code that use others which had to be judged first, through open pairs alone,
    /// each with the first of these.
    pub fn roots(&self, open: &BTreeSet<usize>) -> BTreeMap<usize, usize> {
        let mut found: BTreeMap<usize, usize> = BTreeMap::new();
        let first: BTreeSet<usize> = self.edited().into_iter().collect();
        for &root in open.iter().filter(|at| first.contains(at)) {
            let mut left = vec![root];
            while let Some(at) = left.pop() {
                for &caller in self.holders[at].iter().filter(|at| open.contains(at)) {
                    if !first.contains(&caller) && !found.contains_key(&caller) {
                        found.insert(caller, root);
                        left.push(caller);
                    }
                }
            }
        }
        found
    }

    /// Pairs that no edit reaches.
    pub fn settled(&self) -> Vec<usize> {
        let reached = with_users(&self.callers, self.edited());
        (0..self.pairs.len()).filter(|at| !reached.contains(at)).collect()
    }
}

impl Examined {
    /// A pair of which nothing can be said.
    pub fn open(pair: &MethodPair, kind: GapKind, detail: &str) -> Examined {
        let proof = Proof::Open(vec![Gap::new(kind, detail)]);
        let (candidates, untold, in_doubt) = (Vec::new(), Vec::new(), Vec::new());
        Examined { pair: pair.clone(), candidates, untold, in_doubt, agrees: false, proof }
    }

    /// Takes back a proof that rests on code outside.
    pub fn doubt_outside(&mut self) {
        if self.proof.rests_on_outside() {
            let detail = "it gives objects to code outside, which may call a method of theirs that \
                          was not proved to do what it did";
            self.proof = Proof::Open(vec![Gap::new(GapKind::Approximation, detail)]);
            self.untold = std::mem::take(&mut self.in_doubt);
        }
    }

    /// Whether it does for all inputs what it did: its callers need no look on its account.
    pub fn is_proved(&self) -> bool {
        self.holds() && !self.may_say_else()
    }

    /// Whether it does, perhaps but for what its exceptions say: those need a look who catch them.
    pub fn holds(&self) -> bool {
        self.candidates.is_empty()
            && matches!(&self.proof, Proof::Holds(scope) if scope.bound.is_none())
    }

    fn may_say_else(&self) -> bool {
        matches!(&self.proof, Proof::Holds(scope) if scope.assumptions.iter().any(|it| it == UNTOLD))
    }

    /// Takes back differences of a method that only code which does what it did can call.
    pub fn hide(&mut self) {
        if !self.candidates.is_empty() || !self.untold.is_empty() {
            (self.candidates, self.untold) = (Vec::new(), Vec::new());
            let detail =
                "it does something else for some arguments, and all that call it do what they did";
            self.proof = Proof::Open(vec![Gap::new(GapKind::Approximation, detail)]);
        }
    }
}

impl Proof {
    /// Whether it holds as far as code outside does the same for both versions.
    pub(super) fn rests_on_outside(&self) -> bool {
        matches!(self, Proof::Holds(scope) if scope.assumptions.iter().any(|it| it == OUTSIDE))
    }
}

/// Name and descriptor of a method, by text.
pub(super) type Signature = (String, String);

/// Pairs the judged methods of two programs. `renamed` gives the new name of a class, internal form;
/// `others` is what differs beside the code.
pub fn match_methods(
    old: &Program,
    new: &Program,
    renamed: &BTreeMap<String, String>,
    others: &Others,
) -> Matching {
    let mut matching = Matching::default();
    let mut loose = Loose::default();
    let (mut seen, mut both) = (BTreeSet::new(), Vec::new());
    for class in judged(new) {
        let new_name = new.names.text(class.name).into_owned();
        let old_name = renamed
            .iter()
            .find(|(_, to)| **to == new_name)
            .map_or(new_name.clone(), |(from, _)| from.clone());
        seen.insert(old_name.clone());
        let before = old.find_class_text(&old_name).filter(|&id| old.role(id) == Role::Judged);
        match before.and_then(|id| old.class(id)) {
            Some(before) => {
                both.push((before.id, class.id));
                pair_members((old, before), (new, class), renamed, &mut matching, &mut loose);
                let others = other_constants((old, before), (new, class));
                if loose.initialisers.contains(&new_name) || !others.is_empty() {
                    matching.initialised.push((before.id, class.id));
                }
                loose.constants.extend(others.into_iter().map(|field| (new_name.clone(), field)));
            }
            None => {
                loose.classes.insert(new_name);
                list_class(new, class, &mut matching.added);
            }
        }
    }
    for class in judged(old) {
        let name = old.names.text(class.name).into_owned();
        if !seen.contains(&name) {
            list_class(old, class, &mut matching.removed);
            loose.classes.insert(name);
        }
    }
    compare_code(old, new, renamed, &mut matching.pairs);
    matching.replaced = replaced((old, new), renamed, &both, &loose);
    let reached = reach((old, new), renamed, &matching.pairs, &loose, others);
    matching.callers = reached.callers;
    matching.holders = reached.holders;
    matching.barred = reached.barred;
    matching.unsettled = reached.unsettled;
    matching.opaque = reached.opaque;
    matching.by_name = reached.by_name;
    for (at, assumption) in reached.assumptions {
        matching.pairs[at].assumptions.push(assumption);
    }
    matching.handed_out = reached.handed_out;
    matching.recasting = reached.recasting;
    matching.exposed = reached.exposed;
    matching
}

/// Pairs that do the same step by step though their code does not read the same: the work of another
/// compiler, or of another target release.
pub fn n_rewritten(
    old: &Program,
    new: &Program,
    matching: &Matching,
    wanted: &BTreeSet<usize>,
) -> u64 {
    let text = |program: &Program, method| {
        let body = program.lower(method).ok().flatten();
        body.map(|body| print_body(&body, &Lines::default(), program))
    };
    let pairs = wanted.iter().map(|&at| &matching.pairs[at]).filter(|pair| !pair.is_edited);
    pairs.filter(|pair| text(old, pair.old) != text(new, pair.new)).count() as u64
}

fn judged(program: &Program) -> impl Iterator<Item = &Class> {
    let classes = program.class_ids(Role::Judged).filter_map(|id| program.class(id));
    classes.filter(|class| !class.access_flags.is_synthetic())
}

fn compare_code(
    old: &Program,
    new: &Program,
    renamed: &BTreeMap<String, String>,
    pairs: &mut [MethodPair],
) {
    let is_kept: BTreeMap<ClassId, bool> = pairs
        .iter()
        .map(|pair| {
            let (before, after) = (old.method(pair.old).0, new.method(pair.new).0);
            (pair.new.class, supertypes(old, before, renamed) == supertypes(new, after, renamed))
        })
        .collect();
    pairs.par_iter_mut().for_each_init(
        || Lockstep::new(old, new, renamed),
        |lockstep, pair| {
            let same = is_kept[&pair.new.class].then(|| same_code(old, new, lockstep, pair));
            match same.flatten() {
                Some(assumptions) => pair.assumptions = assumptions.into_iter().collect(),
                None => pair.is_edited = true,
            }
        },
    );
}

fn pair_members(
    (old, before): (&Program, &Class),
    (new, after): (&Program, &Class),
    renamed: &BTreeMap<String, String>,
    matching: &mut Matching,
    loose: &mut Loose,
) {
    let mut left: BTreeMap<Signature, MethodId> =
        before.methods().map(|(id, _)| (renamed_signature(old, id, renamed), id)).collect();
    let class = new.names.text(after.name).into_owned();
    for (id, method) in after.methods() {
        let signature = signature(new, id);
        match left.remove(&signature) {
            Some(_) if method.access_flags.is_synthetic() => {}
            Some(before) => matching.pairs.push(MethodPair {
                old: before,
                new: id,
                is_edited: false,
                assumptions: Vec::new(),
            }),
            None => loosen(new, id, &class, signature, &mut matching.added, loose),
        }
    }
    for (signature, id) in left {
        loosen(old, id, &class, signature, &mut matching.removed, loose);
    }
}

/// A method that only one version has.
fn loosen(
    program: &Program,
    id: MethodId,
    class: &str,
    signature: Signature,
    listed: &mut Vec<String>,
    loose: &mut Loose,
) {
    let (_, method) = program.method(id);
    if method.name == program.known.clinit {
        loose.initialisers.insert(class.to_owned());
        return;
    }
    if !method.access_flags.is_private() && !method.access_flags.is_static() {
        loose.methods.entry(signature).or_default().insert(class.to_owned());
    }
    if !method.access_flags.is_synthetic() {
        listed.push(member_text(program, id));
    }
}

fn list_class(program: &Program, class: &Class, listed: &mut Vec<String>) {
    let own = class.methods().filter(|(_, method)| {
        !method.access_flags.is_synthetic() && method.name != program.known.clinit
    });
    listed.extend(own.map(|(id, _)| member_text(program, id)));
}

/// `public p.C.m(I)J`.
fn member_text(program: &Program, method: MethodId) -> String {
    let (class, declared) = program.method(method);
    let flags = declared.access_flags;
    let access = match () {
        () if flags.is_public() => "public",
        () if flags.is_protected() => "protected",
        () if flags.is_private() => "private",
        () => "package",
    };
    let names = &program.names;
    let (name, descriptor) = (names.text(declared.name), names.text(declared.descriptor));
    format!("{access} {}.{name}{descriptor}", program.class_text(class.name))
}

pub(super) fn signature(program: &Program, method: MethodId) -> Signature {
    let (_, declared) = program.method(method);
    let text = |name: Name| program.names.text(name).into_owned();
    (text(declared.name), text(declared.descriptor))
}

fn renamed_signature(
    program: &Program,
    method: MethodId,
    renamed: &BTreeMap<String, String>,
) -> Signature {
    let (name, mut descriptor) = signature(program, method);
    for (old, new) in renamed {
        descriptor = descriptor.replace(&format!("L{old};"), &format!("L{new};"));
    }
    (name, descriptor)
}

fn same_code(
    old: &Program,
    new: &Program,
    lockstep: &Lockstep<'_>,
    pair: &MethodPair,
) -> Option<Assumptions> {
    let ((old_class, before), (new_class, after)) = (old.method(pair.old), new.method(pair.new));
    let (one, two) = (before.access_flags, after.access_flags);
    let is_alike = one.is_static() == two.is_static()
        && one.is_abstract() == two.is_abstract()
        && one.is_native() == two.is_native()
        && one.is_synchronized() == two.is_synchronized();
    // The constants of static fields are part of what the initialiser does.
    let is_clinit = before.name == old.known.clinit;
    let others = || other_constants((old, old_class), (new, new_class));
    if !is_alike || is_clinit && !others().is_empty() {
        return None;
    }
    lockstep.is_same(pair.old, pair.new)
}

/// What a class extends and implements: it decides what calls and tests mean.
fn supertypes(program: &Program, class: &Class, renamed: &BTreeMap<String, String>) -> Vec<String> {
    let names = class.superclass.iter().chain(&class.interfaces);
    let text = |&name: &Name| {
        let text = program.names.text(name).into_owned();
        renamed.get(&text).cloned().unwrap_or(text)
    };
    names.map(text).collect()
}

/// Whether nobody sees the object that a constructor makes before it returns, but constructors of which
/// that is true too: then its class makes no difference to what is done.
fn keeps_to_itself(program: &Program, constructor: MethodId) -> bool {
    let mut open = vec![constructor];
    let mut seen = FxHashSet::default();
    while let Some(method) = open.pop() {
        if !seen.insert(method) {
            continue;
        }
        let (class, _) = program.method(method);
        if class.name == program.known.object {
            continue;
        }
        let Ok(Some(body)) = program.lower(method) else { return false };
        let this = body.parameters().next();
        let is_this = |value: Value| Some(value) == this;
        for instruction in &body.instructions {
            match instruction.op {
                Op::PutField(_, object, value) if is_this(object) && !is_this(value) => {}
                Op::GetField(_, object) if is_this(object) => {}
                Op::Invoke { kind: InvokeKind::Special, method, arguments }
                    if method.name == program.known.init
                        && body.list(arguments).first().copied().is_some_and(is_this)
                        && !body.list(arguments)[1..].iter().copied().any(is_this) =>
                {
                    let (class, name) = (method.class, method.name);
                    match program.resolve_method(class, name, method.descriptor).found() {
                        Some(inner) => open.push(inner),
                        None => return false,
                    }
                }
                op => {
                    let mut is_seen = false;
                    op.for_each_operand(&body, |value| is_seen |= is_this(value));
                    if is_seen {
                        return false;
                    }
                }
            }
        }
        if is_passed_on(&body, is_this) {
            return false;
        }
    }
    true
}

/// Whether a value becomes another by a jump.
fn is_passed_on(body: &Body, is_it: impl Fn(Value) -> bool) -> bool {
    let mut found = false;
    for block in &body.blocks {
        let mut look = |edge: Edge| {
            found |= body.list(edge.arguments).iter().any(|&value| is_it(value));
        };
        body.for_each_successor(block, &mut look);
        body.handlers_of(block).iter().for_each(|handler| look(handler.edge));
    }
    found
}
