//! Applications of uninterpreted functions.

use crate::op::Op;
use crate::sort::Function;
use crate::terms::{Term, Terms};

impl Terms {
    /// The function's value: equal arguments, equal value, and nothing else is known of it.
    pub fn apply(&mut self, function: Function, args: &[Term]) -> Term {
        let parameters = self.function_parameters(function);
        assert!(parameters.len() == args.len(), "{} arguments were expected", parameters.len());
        for (&arg, &sort) in args.iter().zip(parameters) {
            self.expect_sort(arg, sort);
        }
        let sort = self.function_result(function);
        self.intern(Op::Apply(function), sort, args)
    }
}
