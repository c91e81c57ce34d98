//! Questions that are too much for the usual way, asked in others.

use super::abstraction::{Arithmetic, abstract_arithmetic, arithmetic};
use super::integers::{Products, print_in_integers};
use super::options::{Attempt, Effort};
use super::reason::Reason;
use super::session::Solver;
use crate::assignment::Assignment;
use crate::terms::{Term, Terms};

/// What a question costs of an allowance, and one that ends at its limit.
const ASKED: u64 = 1;
const EXHAUSTED: u64 = 20;
/// What an attempt at an example may take, as a part of the usual.
const FOR_EXAMPLE: u64 = 4;
/// Larger questions are not asked in integers.
const FEW_NODES: usize = 3_000;
/// How much more work products of integers may take than other questions.
const FOR_PRODUCTS: u64 = 4;
/// How much more work it is worth to count turns of loops in integers.
const FOR_TURNS: u64 = 3;

/// What integers in the place of bit-vectors say of a question.
#[derive(PartialEq, Eq)]
enum Integers {
    Refuted,
    Open,
    /// It does what integers cannot do, though they could do the rest, or is too large for them.
    CannotTell,
}

impl Solver {
    /// Asks, and where that is too much, in other ways.
    pub(super) fn ask_harder(
        &mut self,
        terms: &mut Terms,
        parts: &[Term],
        everything: &[Term],
        effort: Effort,
        n_nodes: u64,
    ) -> Result<Option<Assignment>, Reason> {
        let hardest = arithmetic(terms, everything, &mut self.marks);
        // What counts turns adds and compares: integers show all that can be shown of it. Measured on six
        // jars: of 109 questions that they leave open, none was refuted in bits; nor was, on three of them,
        // one of 29 that were too much for integers and have operators that integers do not have.
        if effort == Effort::Integers {
            match self.refute_in_integers(terms, everything, Arithmetic::Plain, FOR_TURNS) {
                Integers::Refuted => return Ok(None),
                Integers::Open => return Err(Reason::ResourceOut),
                Integers::CannotTell => {}
            }
        }
        if hardest == Arithmetic::Floats && self.refutes_abstractly(terms, everything) {
            return Ok(None);
        }
        if effort == Effort::Example {
            let limit = self.options.resource_limit / FOR_EXAMPLE;
            return self.ask_otherwise((Attempt::Usual, limit), (terms, parts, everything));
        }
        let mut answer = self.ask(terms, parts, everything);
        self.charge(if answer.is_ok() { ASKED } else { EXHAUSTED });
        if hardest == Arithmetic::Products
            && matches!(answer, Err(Reason::ResourceOut))
            && self.refutes_abstractly(terms, everything)
        {
            return Ok(None);
        }
        if self.options.in_integers
            && matches!(answer, Err(Reason::ResourceOut))
            && self.refute_in_integers(terms, everything, hardest, 1) == Integers::Refuted
        {
            return Ok(None);
        }
        for (attempt, longer) in effort.attempts(n_nodes) {
            if !matches!(answer, Err(Reason::ResourceOut)) || self.work.left == 0 {
                break;
            }
            let limit = self.options.resource_limit.saturating_mul(longer);
            answer = self.ask_otherwise((attempt, limit), (terms, parts, everything));
        }
        answer
    }

    /// Asks a process that knows nothing yet, in this way and with this limit.
    fn ask_otherwise(
        &mut self,
        (attempt, limit): (Attempt, u64),
        (terms, parts, everything): (&Terms, &[Term], &[Term]),
    ) -> Result<Option<Assignment>, Reason> {
        (self.attempt, self.limit) = (attempt, limit);
        self.dirty = true;
        let answer = self.ask(terms, parts, everything);
        (self.attempt, self.limit) = (Attempt::Usual, self.options.resource_limit);
        self.dirty = true;
        answer
    }

    /// Whether all of this cannot be true whatever products, quotients and float operations give.
    fn refutes_abstractly(&mut self, terms: &mut Terms, everything: &[Term]) -> bool {
        let replaced = abstract_arithmetic(terms, everything, &mut self.marks);
        if replaced.iter().any(|&term| terms.is_false(term)) {
            return true;
        }
        if self.start().is_err() {
            return false;
        }
        let mut text = self.print_start();
        for &term in &replaced {
            self.printer.assert(terms, term, &mut text);
        }
        text.push_str(&self.printer.facts);
        self.say_of_told(text).as_deref() == Some("unsat")
    }

    /// Whether no integers in the place of the bit-vectors make all of this true, products included. For
    /// tests: questions get there by themselves.
    #[doc(hidden)]
    pub fn is_refuted_in_integers(&mut self, terms: &Terms, all: &[Term]) -> bool {
        self.refute_in_integers(terms, all, Arithmetic::Products, 1) == Integers::Refuted
    }

    /// Tries to show that no integers in the place of the bit-vectors make all of this true.
    fn refute_in_integers(
        &mut self,
        terms: &Terms,
        everything: &[Term],
        hardest: Arithmetic,
        longer: u64,
    ) -> Integers {
        if terms.dag_size(everything, &mut self.marks) > FEW_NODES {
            return Integers::CannotTell;
        }
        let ways: &[(Products, u64)] = match hardest {
            Arithmetic::Plain | Arithmetic::Floats => &[(Products::Unknown, 1)],
            Arithmetic::Products => &[(Products::Unknown, 1), (Products::Exact, FOR_PRODUCTS)],
        };
        let mut answer = Integers::CannotTell;
        for &(products, for_products) in ways {
            let told = print_in_integers(terms, everything, products, &mut self.marks);
            let Some(told) = told else { continue };
            self.limit = self.options.resource_limit.saturating_mul(longer * for_products);
            let said = self.say_of_text(&told.text);
            self.limit = self.options.resource_limit;
            if said.as_deref() == Some("unsat") {
                return Integers::Refuted;
            }
            if told.is_exact || said.as_deref() != Some("sat") {
                answer = Integers::Open;
            }
        }
        answer
    }

    /// What a process that knows nothing else says of a text.
    fn say_of_text(&mut self, told: &str) -> Option<String> {
        if self.work.left == 0 || self.start().is_err() {
            return None;
        }
        let mut text = self.print_start();
        text.push_str(told);
        self.say_of_told(text)
    }

    fn say_of_told(&mut self, mut text: String) -> Option<String> {
        text.push_str(self.options.dialect.check(self.attempt));
        text.push_str(self.options.dialect.ask_work());
        // The process now knows something else than the stack says.
        self.dirty = true;
        let answer = self.exchange(&text).ok()?;
        Some(self.work.charge(&answer).trim().to_owned())
    }
}
