//! Models: which values to ask for, and reading them back as an assignment.
//!
//! Functions are asked for at the arguments where they are applied, so their printed form (which
//! differs between solvers) never matters. Everything unreadable makes the model incomplete.

use rustc_hash::FxHashMap;

use super::parse::{Sexp, parse_bits, parse_float, parse_sexps};
use super::print::{Form, Name};
use crate::assignment::Assignment;
use crate::fold::canonical;
use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::ArrayWords;

/// The terms whose values make a model of the cone: symbols, applications and their arguments.
pub(super) fn list_wanted(terms: &Terms, cone: &[Term]) -> Vec<Term> {
    let mut wanted = Vec::new();
    for &term in cone {
        if matches!(terms.op(term), Op::Symbol(_)) {
            wanted.push(term);
        } else if matches!(terms.op(term), Op::Apply(_)) {
            wanted.push(term);
            let open = terms.args(term).iter().filter(|&&arg| terms.as_const(arg).is_none());
            wanted.extend(open);
        }
    }
    wanted.sort_unstable();
    wanted.dedup();
    wanted
}

pub(super) fn print_get_value(terms: &Terms, wanted: &[Term]) -> String {
    let names: Vec<String> =
        wanted.iter().map(|&term| Name(terms, term, Form::Plain).to_string()).collect();
    format!("(get-value ({}))\n", names.join(" "))
}

/// The assignment that an answer to `get-value` describes; nothing if a value cannot be read.
pub(super) fn parse_model(terms: &Terms, wanted: &[Term], answer: &str) -> Option<Assignment> {
    let parsed = parse_sexps(answer)?;
    let [Sexp::List(pairs)] = &parsed[..] else { return None };
    if pairs.len() != wanted.len() {
        return None;
    }
    let mut reader =
        Reader { terms, assignment: Assignment::new(), elements: FxHashMap::default() };
    let mut words: FxHashMap<Term, u64> = FxHashMap::default();
    for (&term, pair) in wanted.iter().zip(pairs) {
        let [_, value] = pair.list()? else { return None };
        words.insert(term, reader.read(value, terms.sort(term))?);
    }
    let word = |term: Term| terms.as_const(term).or_else(|| words.get(&term).copied());
    for &term in wanted {
        if let Op::Symbol(symbol) = terms.op(term) {
            reader.assignment.set_word(symbol, word(term)?);
        } else if let Op::Apply(function) = terms.op(term) {
            let key: Option<Vec<u64>> = terms.args(term).iter().map(|&arg| word(arg)).collect();
            let table = reader.assignment.table_mut(function);
            table.entries.insert(key?.into(), word(term)?);
        }
    }
    Some(reader.assignment)
}

struct Reader<'a> {
    terms: &'a Terms,
    assignment: Assignment,
    /// Elements of uninterpreted sorts are numbered as they appear.
    elements: FxHashMap<(Sort, String), u64>,
}

impl Reader<'_> {
    fn read(&mut self, value: &Sexp, sort: Sort) -> Option<u64> {
        match sort {
            Sort::Bool => match value.atom()? {
                "true" => Some(1),
                "false" => Some(0),
                _other => None,
            },
            Sort::BitVec(width) => {
                let (bits, found) = parse_bits(value)?;
                (found == u32::from(width)).then_some(bits)
            }
            Sort::Float32 => Some(canonical(parse_float(value, 32)?, sort)),
            Sort::Float64 => Some(canonical(parse_float(value, 64)?, sort)),
            Sort::Uninterpreted(_) => {
                let name = match value {
                    Sexp::Atom(name) => name.clone(),
                    Sexp::List(items) => match &items[..] {
                        [head, name, _] if head.atom() == Some("as") => name.atom()?.to_string(),
                        [..] => return None,
                    },
                };
                let next = self.elements.keys().filter(|key| key.0 == sort).count() as u64;
                Some(*self.elements.entry((sort, name)).or_insert(next))
            }
            Sort::Array(_) => {
                let (index, _) = self.terms.array_parts(sort);
                let array = self.read_array(value, sort)?;
                Some(self.assignment.arrays.add(array, index))
            }
        }
    }

    /// `(store (store ((as const S) d) i v) j w)`, or a `lambda` over one chain of `ite`s.
    fn read_array(&mut self, value: &Sexp, sort: Sort) -> Option<ArrayWords> {
        let (index, element) = self.terms.array_parts(sort);
        let mut written = Vec::new();
        let mut value = value;
        let mut array = loop {
            match value.list()? {
                [head, below, at, held] if head.atom() == Some("store") => {
                    written.push((self.read(at, index)?, self.read(held, element)?));
                    value = below;
                }
                [Sexp::List(head), default] if head.first()?.atom() == Some("as") => {
                    let default = self.read(default, element)?;
                    break ArrayWords { default, entries: Vec::new() };
                }
                [head, Sexp::List(parameters), body] if head.atom() == Some("lambda") => {
                    let [Sexp::List(parameter)] = &parameters[..] else { return None };
                    let name = parameter.first()?.atom()?;
                    break self.read_lambda(name, body, index, element)?;
                }
                [..] => return None,
            }
        };
        for (at, held) in written.into_iter().rev() {
            array.set(at, held);
        }
        Some(array)
    }

    fn read_lambda(
        &mut self,
        name: &str,
        body: &Sexp,
        index: Sort,
        element: Sort,
    ) -> Option<ArrayWords> {
        let mut cases: Vec<(u64, u64)> = Vec::new();
        let mut body = body;
        while let Some([head, test, then, other]) = body.list()
            && head.atom() == Some("ite")
        {
            let held = self.read(then, element)?;
            let single = [test.clone()];
            let tests = match test.list()? {
                [head, tests @ ..] if head.atom() == Some("or") => tests,
                [..] => &single,
            };
            for test in tests {
                let [equals, left, right] = test.list()? else { return None };
                if equals.atom() != Some("=") {
                    return None;
                }
                let at = if left.atom() == Some(name) { right } else { left };
                let variable = if left.atom() == Some(name) { left } else { right };
                if variable.atom() != Some(name) {
                    return None;
                }
                cases.push((self.read(at, index)?, held));
            }
            body = other;
        }
        let default = self.read(body, element)?;
        let mut array = ArrayWords { default, entries: Vec::new() };
        // The first case that matches counts: write it last.
        for (at, held) in cases.into_iter().rev() {
            array.set(at, held);
        }
        Some(array)
    }
}

#[cfg(test)]
mod tests {
    use super::{list_wanted, parse_model};
    use crate::{Marks, Sort, Terms, Value};

    #[test]
    fn values_of_every_sort() {
        let mut terms = Terms::new();
        let user = terms.declare_sort("U");
        let array = terms.array_sort(Sort::BitVec(8), Sort::Bool);
        let sorts = [Sort::Bool, Sort::BitVec(8), Sort::Float64, user, user, array, array];
        let symbols: Vec<_> = sorts.iter().map(|&sort| terms.symbol("x", sort)).collect();
        let wanted = list_wanted(&terms, &terms.cone(&symbols, &mut Marks::new()));
        let answer = "((s0 true) (s1 #x07) (s2 (_ -oo 11 53)) (s3 U!val!1) (s4 (as @U_0 U))
            (s5 (store (store ((as const (Array (_ BitVec 8) Bool)) false) #x01 true) #x01 false))
            (s6 (lambda ((x (_ BitVec 8))) (ite (= x #x02) true (ite (or (= x #x02) (= #x03 x))
            false true)))))";
        let model = parse_model(&terms, &wanted, answer).expect("a model");
        let value = |at: usize| model.value(&terms, terms.as_symbol(symbols[at]).expect("symbol"));
        assert_eq!(value(0), Value::Bool(true));
        assert_eq!(value(1), Value::BitVec { width: 8, bits: 7 });
        assert_eq!(value(2), Value::Float64(f64::NEG_INFINITY));
        assert!(!value(3).same(&value(4)));
        let Value::Array(five) = value(5) else { panic!("an array") };
        assert!(five.entries.is_empty() && *five.default == Value::Bool(false));
        let Value::Array(six) = value(6) else { panic!("an array") };
        let three = Value::BitVec { width: 8, bits: 3 };
        assert_eq!(six.entries, [(three, Value::Bool(false))]);
        for wrong in ["", "()", "((s0 true))", &answer.replace("true", "maybe"), "((("] {
            assert!(parse_model(&terms, &wanted, wrong).is_none(), "{wrong}");
        }
    }
}
