//! Arrays: total functions from index to element, changed by `store`.

use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};

impl Terms {
    /// The array of this sort that holds `element` everywhere.
    pub fn const_array(&mut self, sort: Sort, element: Term) -> Term {
        let (_, expected) = self.array_parts(sort);
        self.expect_sort(element, expected);
        self.intern(Op::ConstArray, sort, &[element])
    }

    /// The element at an index. Writes to other indices are skipped, up to the first that may alias.
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        let (expected, element) = self.array_parts(self.sort(array));
        self.expect_sort(index, expected);
        let mut array = array;
        while self.op(array) == Op::Store {
            let (below, written, value) =
                (self.args(array)[0], self.args(array)[1], self.args(array)[2]);
            match self.known_equal(written, index) {
                Some(true) => return value,
                Some(false) => array = below,
                None => break,
            }
        }
        if self.op(array) == Op::ConstArray {
            return self.args(array)[0];
        }
        self.intern(Op::Select, element, &[array, index])
    }

    /// The array with one element changed.
    pub fn store(&mut self, array: Term, index: Term, element: Term) -> Term {
        let sort = self.sort(array);
        let (index_sort, element_sort) = self.array_parts(sort);
        self.expect_sort(index, index_sort);
        self.expect_sort(element, element_sort);
        let mut array = array;
        while self.op(array) == Op::Store && self.args(array)[1] == index {
            array = self.args(array)[0];
        }
        if self.op(element) == Op::Select && *self.args(element) == [array, index] {
            return array;
        }
        if self.op(array) == Op::ConstArray && self.args(array)[0] == element {
            return array;
        }
        self.intern(Op::Store, sort, &[array, index, element])
    }
}
