//! Who says yes to objects that have nothing to do with it.
//!
//! A proof of symmetry asks those back that are near: of the same hierarchy, or with an `equals` that tests
//! for the class. Whether others might say yes is asked here, once of each of them.

use std::collections::BTreeSet;

use program::ir::{MethodRef, Op};
use program::{ClassId, Element, MethodId, Program, Role, Type};
use rustc_hash::FxHashSet;
use smt::{Effort, Solver};
use symex::symbolic::LoopPlan;

use super::super::pool::promising;
use super::super::subjects::tested_types;
use super::super::turns::{Round, Turns};
use super::{Proved, Prover, Subject, Survey};

/// Whether `equals` of a class says yes to strangers: objects that are not of one of its kinds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) enum Strangers {
    Refused,
    /// Only where an object that it holds, as one of these, says yes to them.
    AsItsParts(BTreeSet<ClassId>),
    /// Perhaps.
    Open,
}

/// What is known of one class, and what has to be true of code that nobody has seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Openness {
    pub(in super::super) strangers: Strangers,
    pub(in super::super) assumptions: BTreeSet<String>,
}

impl Openness {
    pub(in super::super) const UNKNOWN: Openness =
        Openness { strangers: Strangers::Open, assumptions: BTreeSet::new() };

    pub(in super::super) fn of(
        survey: &Survey<'_>,
        subject: &Subject,
        solver: &mut Solver,
    ) -> Openness {
        let mut prover = Prover::new(survey, subject, &[], solver);
        prover.effort = Effort::Usual;
        prover.openness()
    }
}

/// The types whose objects an `equals` is known to ask for: whoever is of one of these is asked about the
/// class when its own symmetry is to be proved.
pub(in super::super) fn kinds(program: &Program, subject: &Subject) -> Vec<ClassId> {
    let is_object = |id: ClassId| program.class_name(id) == program.known.object;
    let class = program.class(subject.class);
    let line = class.map(|class| &program.ancestry(class).superclasses[..]).unwrap_or_default();
    let root = line.iter().copied().rfind(|&id| !is_object(id));
    let all = root
        .into_iter()
        .chain(tested_types(program, subject))
        .chain(promising(program, subject.class));
    all.filter(|&id| !is_object(id)).collect()
}

impl Prover<'_, '_> {
    fn openness(&mut self) -> Openness {
        let assumptions = BTreeSet::new();
        match self.strangers() {
            Ok(Strangers::Open) | Err(_) => {}
            Ok(strangers) => return Openness { strangers, assumptions },
        }
        // What calls itself without end in sight may do anything, and interfaces are implemented by those
        // that are known.
        let mut not_followed: FxHashSet<MethodId> =
            self.engine.unwound.calls.iter().copied().collect();
        let mut strangers = self.strangers_without(&not_followed);
        if strangers == Strangers::Open {
            not_followed.extend(self.called_aside());
            strangers = self.strangers_without(&not_followed);
        }
        let assumptions = std::mem::take(&mut self.engine.assumptions);
        let of_code = |it: &String| it.starts_with("no class outside of those analysed implements");
        Openness { strangers, assumptions: assumptions.into_iter().filter(of_code).collect() }
    }

    /// What a run shows that takes these methods for code outside, and loops to turn any number of times.
    fn strangers_without(&mut self, not_followed: &FxHashSet<MethodId>) -> Strangers {
        let mut turns: Option<Turns> = None;
        loop {
            self.restart(turns.as_ref().map_or_else(LoopPlan::default, Turns::plan));
            self.effort = Effort::Usual;
            self.engine.forgives.methods = not_followed.clone();
            self.engine.doubts.closes_interfaces = true;
            let strangers = self.strangers().unwrap_or(Strangers::Open);
            match &mut turns {
                None if strangers != Strangers::Open || self.engine.unwound.loops.is_empty() => {
                    return strangers;
                }
                None => turns = Some(Turns::of(&self.engine)),
                Some(turns) => match turns.learn(&mut self.engine) {
                    Round::Settled => return strangers,
                    Round::Again => {}
                    Round::Failed => return Strangers::Open,
                },
            }
        }
    }

    /// Methods that `equals` calls without the object that it compares with.
    fn called_aside(&self) -> Vec<MethodId> {
        let Ok(method) = self.equals_method() else { return Vec::new() };
        let Ok(Some(body)) = self.program.lower(method) else { return Vec::new() };
        let Some(other) = body.parameters().nth(1) else { return Vec::new() };
        let aside = body.instructions.iter().filter_map(|it| match it.op {
            Op::Invoke { method: called, arguments, .. } => {
                let is_aside = !body.list(arguments).contains(&other);
                let MethodRef { class, name, descriptor, .. } = called;
                let resolved = self.program.resolve_method(class, name, descriptor);
                resolved.found().filter(|_| is_aside)
            }
            _ => None,
        });
        let mut found: Vec<MethodId> = aside.collect();
        for id in self.survey.index.world().subtypes(method.class) {
            let overriding = found.iter().map(|&it| self.program.select_method(id, it).found());
            let overriding: Vec<MethodId> = overriding.flatten().collect();
            found.extend(overriding.into_iter().filter(|it| it.class == id));
        }
        found
    }

    fn strangers(&mut self) -> Proved<Strangers> {
        let method = self.equals_method()?;
        let y = self.object("y");
        let (x, mut state) = self.receiver(method, &[y])?;
        for kind in kinds(self.program, self.subject) {
            let fits = self.is_a(y, kind)?;
            let other = self.engine.space.terms.not(fits);
            self.engine.assume(&mut state, other);
        }
        for other in self.never_asked() {
            let fits = self.is_a(y, other)?;
            let not_that = self.engine.space.terms.not(fits);
            self.engine.assume(&mut state, not_that);
        }
        // What is not of the hierarchy is not of the class either.
        let same = self.engine.is_same_class(x, y);
        let other = self.engine.space.terms.not(same);
        self.engine.assume(&mut state, other);
        self.engine.doubts.hands_back = Some((x, self.subject.class));
        let outcome = self.call(method, &[x, y], &state);
        let yes = self.returns(&outcome, true);
        let lost = self.engine.stopped(0, |_| true);
        let either = self.engine.space.terms.or2(yes, lost);
        if !self.is_possible(either)? {
            return Ok(Strangers::Refused);
        }
        let handed = std::mem::take(&mut self.engine.doubts.handed);
        let (parts, say_yes): (Vec<_>, Vec<_>) = handed.into_iter().unzip();
        let some_part = self.engine.space.terms.or(&say_yes);
        let no_part = self.engine.space.terms.not(some_part);
        let alone = self.engine.space.terms.and2(either, no_part);
        Ok(match self.is_possible(alone)? {
            false => Strangers::AsItsParts(parts.into_iter().flatten().collect()),
            true => Strangers::Open,
        })
    }

    /// Types of the platform that no analysed class is below: strings, what is final, and the classes that
    /// are made for proxies while a program runs.
    fn never_asked(&self) -> Vec<ClassId> {
        let program = self.program;
        let class = program.class(self.subject.class);
        let fields = class.into_iter().flat_map(|class| &class.fields).filter_map(|field| {
            let ty = Type::parse(program.names.bytes(field.descriptor), &program.names)?;
            if let Type { element: Element::Class(name), dimensions: 0 } = ty {
                program.find_class(name)
            } else {
                None
            }
        });
        let is_final =
            |id: &ClassId| program.class(*id).is_some_and(|class| class.access_flags.is_final());
        let finals = fields.chain(program.find_class(program.known.string)).filter(is_final);
        let world = self.survey.index.world();
        let is_alone = |id: &ClassId| world.subtypes(*id).len() == 1;
        let proxy = program.find_class_text("java/lang/reflect/Proxy").filter(is_alone);
        let all = finals.chain(proxy);
        all.filter(|&id| program.role(id) == Role::Platform).collect()
    }
}
