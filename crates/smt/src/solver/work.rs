//! The work that the process says it did, and how much more it may do.

use crate::{Marks, Op, Term, Terms};

/// The nodes that floating-point arithmetic stands for beyond its own: the solver turns it into circuits,
/// which takes seconds and does not count as work. Measured on a jar and on 86 pairs of methods: of
/// questions with more than two divisions, or more than two products, none was answered.
pub(super) fn weight_of_floats(terms: &Terms, roots: &[Term], marks: &mut Marks) -> u64 {
    let weight = |term: Term| match terms.op(term) {
        Op::FloatDiv | Op::FloatSqrt => 5_000,
        Op::FloatMul => 700,
        Op::FloatToInt => 500,
        Op::FloatAdd | Op::IntToFloat | Op::FloatToFloat => 300,
        _ => 0,
    };
    terms.cone(roots, marks).into_iter().map(weight).sum()
}

/// What is left of an allowance, in the solver's own unit: deterministic, unlike time.
pub(super) struct Work {
    pub(super) left: u64,
    /// What the process had done by the last question.
    done: u64,
}

impl Work {
    pub(super) fn new() -> Work {
        Work { left: u64::MAX, done: 0 }
    }

    /// The process starts to count anew.
    pub(super) fn forget(&mut self) {
        self.done = 0;
    }

    /// Takes what an answer says of the work from the allowance; the rest of the answer. A process that
    /// does not say it works for nothing.
    pub(super) fn charge(&mut self, answer: &str) -> String {
        let mut rest = String::with_capacity(answer.len());
        for line in answer.lines() {
            match parse_work(line) {
                Some(done) => {
                    self.left = self.left.saturating_sub(done.saturating_sub(self.done));
                    self.done = done;
                }
                None => {
                    rest.push_str(line);
                    rest.push('\n');
                }
            }
        }
        rest
    }
}

fn parse_work(line: &str) -> Option<u64> {
    line.trim().strip_prefix("(:rlimit ")?.strip_suffix(')')?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_taken_from_the_allowance() {
        let mut work = Work { left: 100, done: 0 };
        assert_eq!(work.charge("unsat\n(:rlimit 30)\n"), "unsat\n");
        assert_eq!(work.charge("sat\n(:rlimit 50)\n"), "sat\n");
        assert_eq!(work.left, 50);
        work.forget();
        work.charge("unknown\n(:rlimit 70)\n");
        assert_eq!(work.left, 0);
        assert_eq!(work.charge("(error \"x\")"), "(error \"x\")\n");
    }
}
