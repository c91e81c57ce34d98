//! Questions: a stack of assumptions, and whether a Bool can be true under them.
//!
//! The stack lives here; the process is brought up to date lazily before it is asked, which is also
//! how a process started after a fault gets to know what was assumed. An answer depends on the
//! questions since the last `reset` only.

use std::collections::VecDeque;
use std::fmt::Write;

use super::cases::refute;
use super::locate::{MissingSolver, locate_solver};
use super::model::{list_wanted, parse_model, print_get_value};
use super::options::{Attempt, Dialect, Effort, Options};
use super::print::{PREAMBLE, Printer};
use super::process::{Fault, Process};
use super::reason::Reason;
use super::simplify::{Substitution, conjuncts};
use super::stats::Stats;
use super::work::{Work, weight_of_floats};
use crate::assignment::Assignment;
use crate::candidates::Candidates;
use crate::eval::Evaluator;
use crate::ground::{Ground, decide};
use crate::terms::{Term, Terms};
use crate::walk::Marks;

/// Models of the subject that are tried on later questions.
const REMEMBERED: usize = 16;
/// Questions of up to this many conjuncts are simplified as one conjunction.
const CONJOINED: usize = 64;
/// Work that one node takes the process at least: what the limit does not allow is not asked.
const TOLD: u64 = 50;

/// The answer to "can this be true?".
#[derive(Clone, Debug)]
pub enum Answer {
    /// Yes, here: the assignment satisfies the assumptions and the question by our own evaluation.
    Sat(Assignment),
    Unsat,
    Unknown(Reason),
}

#[derive(Default)]
struct Frame {
    assertions: Vec<Term>,
    substitution: Substitution,
    /// Assertions that the process knows; nothing if it does not know the frame.
    sent: Option<usize>,
}

/// A stack of assumptions and the process that is asked about them.
pub struct Solver {
    pub(super) options: Options,
    process: Option<Process>,
    pub(super) printer: Printer,
    frames: Vec<Frame>,
    /// Levels to be popped in the process before it is asked again.
    stale: usize,
    /// The process has seen another subject.
    pub(super) dirty: bool,
    started: bool,
    /// Work that the next question may take, and how it is asked.
    pub(super) limit: u64,
    pub(super) attempt: Attempt,
    /// What is left for all questions until the next [`Solver::allow`], if that is limited.
    allowance: Option<u64>,
    pub(super) work: Work,
    models: VecDeque<Assignment>,
    evaluator: Evaluator,
    pub(super) marks: Marks,
    stats: Stats,
}

impl Solver {
    /// A solver that has not started a process yet.
    pub fn new(options: Options) -> Solver {
        Solver {
            printer: Printer::new(options.dialect),
            limit: options.resource_limit,
            attempt: Attempt::Usual,
            work: Work::new(),
            options,
            process: None,
            frames: vec![Frame::default()],
            stale: 0,
            dirty: true,
            started: false,
            allowance: None,
            models: VecDeque::new(),
            evaluator: Evaluator::new(),
            marks: Marks::new(),
            stats: Stats::default(),
        }
    }

    /// Whether there is a solver program to ask.
    pub fn locate(&self) -> Result<std::path::PathBuf, MissingSolver> {
        locate_solver(self.options.program.as_deref(), self.options.dialect)
    }

    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Forgets all assumptions and everything that was asked: for the next subject, whose arena may
    /// be another one.
    pub fn reset(&mut self) {
        self.frames = vec![Frame::default()];
        self.printer = Printer::new(self.options.dialect);
        self.stale = 0;
        self.dirty = true;
        self.models.clear();
    }

    /// As new, with a process of its own: for who was interrupted in the middle of a question.
    pub fn restart(&mut self) {
        let left = self.work.left;
        *self = Solver::new(self.options.clone());
        self.work.left = left;
    }

    /// From now on the process may do so much work in all, in its own unit, and answers nothing beyond it;
    /// what was left of what was granted before.
    pub fn grant(&mut self, work: u64) -> u64 {
        std::mem::replace(&mut self.work.left, work)
    }

    /// Limits the work on all questions from now on: one counts 1, one that ends at its limit 20. After
    /// that, nothing is asked any more.
    pub fn allow(&mut self, work: u64) {
        self.allowance = Some(work);
    }

    /// Takes something from the allowance for work around the questions.
    pub fn charge(&mut self, work: u64) {
        self.allowance = self.allowance.map(|left| left.saturating_sub(work));
    }

    /// Whether the allowance is used up.
    pub fn is_spent(&self) -> bool {
        self.allowance == Some(0)
    }

    /// Opens a level of assumptions.
    pub fn push(&mut self) {
        let below = self.frames.last();
        let substitution = below.map(|frame| frame.substitution.inherit()).unwrap_or_default();
        self.frames.push(Frame { substitution, ..Frame::default() });
    }

    /// Drops the assumptions since the matching `push`.
    ///
    /// # Panics
    /// Without a matching `push`.
    pub fn pop(&mut self) {
        assert!(self.frames.len() > 1, "pop without push");
        if let Some(frame) = self.frames.pop()
            && frame.sent.is_some()
        {
            self.stale += 1;
        }
    }

    /// Assumes that a Bool is true, until the level is popped.
    pub fn assert(&mut self, terms: &mut Terms, term: Term) {
        let Some(frame) = self.frames.last_mut() else { return };
        if !self.options.substitute {
            frame.assertions.extend(conjuncts(terms, term));
            return;
        }
        let mut open = conjuncts(terms, term);
        open.reverse();
        while let Some(conjunct) = open.pop() {
            let rewritten = frame.substitution.apply(terms, conjunct);
            if rewritten != conjunct {
                open.extend(conjuncts(terms, rewritten).iter().rev());
            } else {
                frame.substitution.learn(terms, conjunct, &mut self.marks);
                frame.assertions.push(conjunct);
            }
        }
    }

    /// Whether the assumptions and the question can be true together.
    pub fn check(&mut self, terms: &mut Terms, question: Term) -> Answer {
        self.check_with(terms, question, Effort::Usual)
    }

    /// As [`Self::check`], for a question that is worth more: at the limit the process is asked again.
    pub fn check_with(&mut self, terms: &mut Terms, question: Term, effort: Effort) -> Answer {
        self.stats.queries += 1;
        let Some((parts, found)) = self.simplify(terms, question) else {
            self.stats.by_simplification += 1;
            return Answer::Unsat;
        };
        let everything = self.everything(&parts);
        if everything.is_empty() {
            self.stats.by_simplification += 1;
            return Answer::Sat(Assignment::new());
        }
        if everything.iter().any(|&term| terms.is_false(term)) {
            self.stats.by_simplification += 1;
            return Answer::Unsat;
        }
        if self.options.try_concrete
            && let Some(model) = self.find_concrete(terms, &everything, &found)
        {
            self.stats.by_evaluation += 1;
            return Answer::Sat(model);
        }
        if self.options.equalities
            && let Some(answer) = self.decide_by_equalities(terms, &everything)
        {
            self.stats.by_equalities += 1;
            return answer;
        }
        if self.options.cases && effort != Effort::Alone && refute(terms, &parts, &mut self.marks) {
            self.stats.by_simplification += 1;
            return Answer::Unsat;
        }
        let n_nodes = terms.dag_size(&everything, &mut self.marks) as u64;
        let weight = n_nodes + weight_of_floats(terms, &everything, &mut self.marks);
        if effort == Effort::Alone || self.work.left == 0 || self.is_too_large(weight) {
            *self.stats.unknown.entry(Reason::ResourceOut.name()).or_default() += 1;
            return Answer::Unknown(Reason::ResourceOut);
        }
        if self.is_spent() {
            return Answer::Unknown(Reason::ResourceOut);
        }
        self.stats.by_solver += 1;
        let answer = self.ask_harder(terms, &parts, &everything, effort, n_nodes);
        match answer {
            Ok(Some(model)) => {
                self.remember(&model);
                Answer::Sat(model)
            }
            Ok(None) => Answer::Unsat,
            Err(reason) => {
                *self.stats.unknown.entry(reason.name()).or_default() += 1;
                Answer::Unknown(reason)
            }
        }
    }

    /// What follows without arithmetic, or is shown by values.
    fn decide_by_equalities(&mut self, terms: &Terms, everything: &[Term]) -> Option<Answer> {
        match decide(terms, everything, &mut self.evaluator, &mut self.marks) {
            Ground::Unsat => Some(Answer::Unsat),
            Ground::Sat(model) => {
                self.remember(&model);
                Some(Answer::Sat(model))
            }
            Ground::Open => None,
        }
    }

    /// Whether the limit would be reached before there is an answer. Measured: of some 600 questions of
    /// one jar, none with more nodes than a fiftieth of the limit was answered.
    fn is_too_large(&self, weight: u64) -> bool {
        weight.saturating_mul(TOLD) > self.options.resource_limit
    }

    /// An assignment that satisfies the assumptions and the question, if an earlier model of the
    /// subject or a candidate input does. Never asks the solver; nothing proves nothing.
    pub fn try_concrete(&mut self, terms: &mut Terms, question: Term) -> Option<Assignment> {
        let (parts, found) = self.simplify(terms, question)?;
        let everything = self.everything(&parts);
        self.find_concrete(terms, &everything, &found)
    }

    /// The conjuncts of a question, then all that is assumed.
    fn everything(&self, parts: &[Term]) -> Vec<Term> {
        let assumed = self.frames.iter().flat_map(|frame| &frame.assertions);
        parts.iter().chain(assumed).copied().collect()
    }

    fn find_concrete(
        &mut self,
        terms: &Terms,
        everything: &[Term],
        found: &Substitution,
    ) -> Option<Assignment> {
        for model in self.models.iter().rev() {
            if self.evaluator.all_hold(terms, everything, model) {
                return Some(model.clone());
            }
        }
        let candidates = Candidates::new(terms, everything, &mut self.marks);
        for mut candidate in candidates.iter() {
            // Symbols that the question or an assumption defines follow from the others.
            let assumed = self.frames.last().map(|frame| &frame.substitution.order[..]);
            let assumed = assumed.unwrap_or_default().iter().rev();
            for &(symbol, value) in found.order.iter().rev().chain(assumed) {
                if let (Some(symbol), None) = (terms.as_symbol(symbol), array(terms, value)) {
                    let word = self.evaluator.word(terms, value, &candidate);
                    candidate.set_word(symbol, word);
                }
            }
            if self.evaluator.all_hold(terms, everything, &candidate) {
                self.remember(&candidate);
                return Some(candidate);
            }
        }
        None
    }

    fn remember(&mut self, model: &Assignment) {
        if self.models.len() == REMEMBERED {
            self.models.pop_front();
        }
        self.models.push_back(model.clone());
    }

    /// The conjuncts of the question under the equalities that hold, and those that it adds; nothing
    /// if a conjunct is false.
    fn simplify(&mut self, terms: &mut Terms, question: Term) -> Option<(Vec<Term>, Substitution)> {
        let mut found = Substitution::default();
        let mut parts = conjuncts(terms, question);
        if !self.options.substitute {
            let contradiction = parts.iter().any(|&part| terms.is_false(part));
            return (!contradiction).then_some((parts, found));
        }
        if let Some(frame) = self.frames.last_mut() {
            for part in &mut parts {
                *part = frame.substitution.apply(terms, *part);
            }
        }
        let mut definitions = Vec::new();
        loop {
            let before = definitions.len();
            let mut rest = Vec::new();
            for part in std::mem::take(&mut parts) {
                let part = found.apply(terms, part);
                let mut pieces = conjuncts(terms, part);
                if pieces.iter().any(|&piece| terms.is_false(piece)) {
                    return None;
                }
                // One at a time: the next may hold the symbol that this one defines.
                let marks = &mut self.marks;
                let known = pieces.iter().position(|&piece| found.learn(terms, piece, marks));
                if let Some(at) = known {
                    definitions.push(pieces.remove(at));
                }
                rest.append(&mut pieces);
            }
            if rest.len() <= CONJOINED {
                let all = terms.and(&rest);
                rest = conjuncts(terms, all);
            }
            parts = rest;
            if parts.iter().any(|&part| terms.is_false(part)) {
                return None;
            }
            if definitions.len() == before {
                break;
            }
        }
        definitions.extend(parts);
        Some((definitions, found))
    }

    pub(super) fn ask(
        &mut self,
        terms: &Terms,
        parts: &[Term],
        everything: &[Term],
    ) -> Result<Option<Assignment>, Reason> {
        self.start()?;
        let mut text = self.print_frames(terms);
        text.push_str("(push 1)\n");
        self.stale += 1;
        for &part in parts {
            self.printer.assert(terms, part, &mut text);
        }
        text.push_str(&self.printer.facts);
        text.push_str(self.options.dialect.check(self.attempt));
        text.push_str(self.options.dialect.ask_work());
        let answer = self.exchange(&text)?;
        let answer = self.work.charge(&answer);
        match answer.trim() {
            "unsat" => Ok(None),
            "sat" => self.fetch_model(terms, everything).map(Some),
            "unknown" => Err(self.fetch_reason()?),
            // cvc5 as a library adds the reason.
            "unknown (RESOURCEOUT)" => Err(Reason::ResourceOut),
            other => Err(self.nonsense(other)),
        }
    }

    fn fetch_model(&mut self, terms: &Terms, everything: &[Term]) -> Result<Assignment, Reason> {
        let cone = terms.cone(everything, &mut self.marks);
        let wanted = list_wanted(terms, &cone);
        let answer = if wanted.is_empty() {
            "()".to_string()
        } else {
            self.exchange(&print_get_value(terms, &wanted))?
        };
        if answer.contains("(error") {
            return Err(self.nonsense(&answer));
        }
        let model = parse_model(terms, &wanted, &answer).ok_or(Reason::IncompleteModel)?;
        if self.evaluator.all_hold(terms, everything, &model) {
            Ok(model)
        } else {
            Err(Reason::WrongModel)
        }
    }

    pub(super) fn fetch_reason(&mut self) -> Result<Reason, Reason> {
        let answer = self.exchange("(get-info :reason-unknown)\n")?;
        let words = answer.to_lowercase();
        let has = |word: &str| words.contains(word);
        Ok(if has("memory") || has("memout") {
            Reason::OutOfMemory
        } else if has("resource") || has("rlimit") || has("cancel") {
            Reason::ResourceOut
        } else {
            Reason::GaveUp(excerpt(&answer))
        })
    }

    /// The process cannot be trusted to be in step any more: it goes.
    fn nonsense(&mut self, answer: &str) -> Reason {
        self.abandon();
        if answer.contains("out of memory") {
            return Reason::OutOfMemory;
        }
        // The limit may be reached while the question is still being told.
        if answer.contains("canceled") {
            return Reason::ResourceOut;
        }
        Reason::Nonsense(excerpt(answer))
    }

    pub(super) fn exchange(&mut self, text: &str) -> Result<String, Reason> {
        let Some(process) = &mut self.process else { return Err(Reason::Died) };
        process.exchange(text, self.options.kill_after).map_err(|fault| {
            self.abandon();
            match fault {
                Fault::Died(words) if words.contains("out of memory") => Reason::OutOfMemory,
                Fault::Died(_) => Reason::Died,
                Fault::Hung => Reason::Killed,
                Fault::Flooded => Reason::Nonsense("an endless answer".to_string()),
            }
        })
    }

    /// Drops the process; the next question starts another and tells it the assumptions again.
    fn abandon(&mut self) {
        self.process = None;
        self.dirty = true;
    }

    pub(super) fn start(&mut self) -> Result<(), Reason> {
        if self.process.is_some() {
            return Ok(());
        }
        let program = self.locate().map_err(|missing| Reason::Missing(missing.to_string()))?;
        let process = Process::start(&program, &self.options.command_line())
            .map_err(|error| Reason::Missing(format!("{}: {error}", program.display())))?;
        self.process = Some(process);
        self.dirty = true;
        if self.started {
            self.stats.restarts += 1;
        }
        self.started = true;
        Ok(())
    }

    /// What a process has to hear that is to know nothing.
    pub(super) fn print_start(&mut self) -> String {
        self.dirty = false;
        self.stale = 0;
        self.work.forget();
        self.printer = Printer::new(self.options.dialect);
        for frame in &mut self.frames {
            frame.sent = None;
        }
        let mut text = "(reset)\n(set-option :global-declarations true)\n".to_owned();
        match self.options.dialect {
            Dialect::Z3 => {
                let _ = writeln!(text, "(set-option :rlimit {})", self.limit);
            }
            Dialect::Cvc5 => text.push_str("(set-logic ALL)\n"),
        }
        text.push_str(PREAMBLE);
        text
    }

    /// What the process has to hear so that it assumes what we do.
    fn print_frames(&mut self, terms: &Terms) -> String {
        let mut text = String::new();
        if self.dirty {
            text = self.print_start();
        }
        if self.stale > 0 {
            let _ = writeln!(text, "(pop {})", self.stale);
            self.stale = 0;
        }
        for frame in &mut self.frames {
            if frame.sent.is_none() {
                text.push_str("(push 1)\n");
            }
            for &assertion in &frame.assertions[frame.sent.unwrap_or(0)..] {
                self.printer.assert(terms, assertion, &mut text);
            }
            frame.sent = Some(frame.assertions.len());
        }
        text
    }
}

fn array(terms: &Terms, term: Term) -> Option<()> {
    matches!(terms.sort(term), crate::sort::Sort::Array(_)).then_some(())
}

fn excerpt(text: &str) -> String {
    text.trim().chars().take(200).collect()
}
