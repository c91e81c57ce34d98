//! What a caller chooses about the solver.

use std::path::PathBuf;
use std::time::Duration;

/// The program that is spoken to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// `z3`, which `scripts/fetch-solver` installs.
    #[default]
    Z3,
    /// `cvc5`, which must be on PATH or named: its PyPI package has libraries but no program.
    Cvc5,
}

impl Dialect {
    /// The name of the program.
    pub fn program(self) -> &'static str {
        match self {
            Dialect::Z3 => "z3",
            Dialect::Cvc5 => "cvc5",
        }
    }

    /// The command that asks. Left to itself inside a stack of assumptions, z3 skips the
    /// preprocessing that turns "equal fields, different sums" into nothing: measured, 100,000
    /// conflicts against none.
    pub(super) fn check(self, attempt: Attempt) -> &'static str {
        match (self, attempt) {
            (Dialect::Z3, Attempt::Usual) => {
                "(check-sat-using (then simplify propagate-values solve-eqs smt))\n"
            }
            (Dialect::Z3, Attempt::Bits) => "(check-sat-using qfufbv)\n",
            (Dialect::Cvc5, Attempt::Usual | Attempt::Bits) => "(check-sat)\n",
        }
    }

    /// The command that says how much work was done since the last reset, if there is one.
    pub(super) fn ask_work(self) -> &'static str {
        match self {
            Dialect::Z3 => "(get-info :rlimit)\n",
            Dialect::Cvc5 => "",
        }
    }
}

/// How a question is put.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Attempt {
    Usual,
    /// Functions are replaced by their values, and all becomes bits: better where indices are counted.
    Bits,
}

/// What a question is worth at the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// The process is not asked.
    Alone,
    /// A short attempt, for who is after an example: those are found soon or not at all. Measured on two jars:
    /// of 99 questions that were too much for an attempt of the usual length half of the examples that such an
    /// attempt found, and all that were good for anything, were found in a quarter of it or without asking.
    Example,
    /// One attempt.
    Usual,
    /// A longer one too.
    Long,
    /// Two longer ones, for questions that count turns of loops.
    Turns,
    /// One in integers, for those that only count turns, and one in bits.
    Integers,
}

impl Effort {
    /// What the next questions of a proof about turns are worth after one that ran into the limit. Measured
    /// on three jars: of 53 such proofs three had met one, and that was their last question.
    pub fn after_limit(self) -> Effort {
        match self {
            Effort::Alone | Effort::Integers => Effort::Alone,
            Effort::Example | Effort::Usual | Effort::Long | Effort::Turns => self,
        }
    }

    /// Further attempts at a question of so many nodes, and how much longer they may take. Measured on
    /// two jars: larger questions are not refuted by them, however long they take.
    pub(super) fn attempts(self, n_nodes: u64) -> impl Iterator<Item = (Attempt, u64)> {
        let all: &[(Attempt, u64, u64)] = match self {
            Effort::Alone | Effort::Example | Effort::Usual | Effort::Integers => &[],
            Effort::Long => &[(Attempt::Usual, 5, 400), (Attempt::Bits, 6, 250)],
            Effort::Turns => &[(Attempt::Usual, 5, 1_200), (Attempt::Bits, 8, 800)],
        };
        let fits = all.iter().filter(move |&&(_, _, largest)| n_nodes <= largest);
        fits.map(|&(attempt, longer, _)| (attempt, longer))
    }
}

/// How to ask. The defaults suit a question of a few thousand nodes.
#[derive(Clone, Debug)]
pub struct Options {
    pub dialect: Dialect,
    /// The program; where absent, it is looked for ([`crate::locate_solver`]).
    pub program: Option<PathBuf>,
    /// Arguments in place of the usual ones, for programs that wrap a solver.
    pub arguments: Option<Vec<String>>,
    /// Work per question in the solver's own unit: deterministic, unlike time. For z3 a million is
    /// about a third of a second.
    pub resource_limit: u64,
    /// Memory of the process, if the program can limit it (z3).
    pub memory_mib: u32,
    /// The last resort: a process that has not answered by then is killed, and the answer is
    /// `Unknown`. Far above what `resource_limit` takes, because it is not deterministic.
    pub kill_after: Duration,
    /// Substitute the equalities at the top of a question before asking.
    pub substitute: bool,
    /// Try earlier models and boundary values before asking.
    pub try_concrete: bool,
    /// At the limit, ask whether integers in the place of bit-vectors could do it.
    pub in_integers: bool,
    /// Decide what follows from equalities and orders before asking.
    pub equalities: bool,
    /// Look for contradictions case by case before asking. After equalities that finds something only
    /// where arithmetic is written in two ways: in `equals` and `hashCode`, none of 257 questions.
    pub cases: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            dialect: Dialect::Z3,
            program: None,
            arguments: None,
            resource_limit: 1_000_000,
            memory_mib: 2048,
            kill_after: Duration::from_secs(120),
            substitute: true,
            try_concrete: true,
            in_integers: false,
            equalities: true,
            cases: true,
        }
    }
}

impl Options {
    pub(super) fn command_line(&self) -> Vec<String> {
        if let Some(arguments) = &self.arguments {
            return arguments.clone();
        }
        match self.dialect {
            Dialect::Z3 => {
                vec!["-smt2".into(), "-in".into(), format!("-memory:{}", self.memory_mib)]
            }
            Dialect::Cvc5 => vec![
                "--lang=smt2".into(),
                "--incremental".into(),
                "--produce-models".into(),
                format!("--rlimit-per={}", self.resource_limit),
            ],
        }
    }
}
