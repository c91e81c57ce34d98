//! What symbols and functions mean in one concrete world: an input to evaluation, or a model.
//!
//! Total: a symbol or function that was not set is zero, false, 0.0, element 0, or an array of these.

use std::collections::BTreeMap;

use crate::fold::canonical;
use crate::sort::{Function, Sort, Symbol, mask};
use crate::terms::Terms;
use crate::value::{ArrayPool, ArrayWords, Arrays, Value, scalar_word};

/// Values for the symbols and functions of one arena.
#[derive(Clone, Default, Debug)]
pub struct Assignment {
    symbols: Vec<u64>,
    functions: Vec<FunctionTable>,
    pub(crate) arrays: ArrayPool,
}

/// A function as finitely many entries and a default, in words.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct FunctionTable {
    pub(crate) default: u64,
    pub(crate) entries: BTreeMap<Box<[u64]>, u64>,
}

impl FunctionTable {
    pub(crate) fn get(&self, args: &[u64]) -> u64 {
        self.entries.get(args).copied().unwrap_or(self.default)
    }
}

impl Assignment {
    pub fn new() -> Assignment {
        Assignment::default()
    }

    /// Sets a symbol.
    ///
    /// # Panics
    /// If the value is not of the symbol's sort.
    pub fn set(&mut self, terms: &Terms, symbol: Symbol, value: &Value) {
        let word = self.word_of(terms, terms.symbol_sort(symbol), value);
        self.set_word(symbol, word);
    }

    /// Sets a symbol of a scalar sort by its bits: a Bool by the lowest, a bit-vector or a float by as
    /// many as it has, an element by its number. The fast way to feed a [`crate::Tape`].
    pub fn set_bits(&mut self, terms: &Terms, symbol: Symbol, bits: u64) {
        let word = match terms.symbol_sort(symbol) {
            Sort::Bool => bits & 1,
            Sort::BitVec(width) => bits & mask(u32::from(width)),
            sort @ (Sort::Float32 | Sort::Float64) => canonical(bits, sort),
            Sort::Uninterpreted(_) => bits,
            sort @ Sort::Array(_) => panic!("{sort:?} is not a scalar sort"),
        };
        self.set_word(symbol, word);
    }

    pub fn value(&self, terms: &Terms, symbol: Symbol) -> Value {
        let mut local = ArrayPool::default();
        let arrays = Arrays { base: &self.arrays, local: &mut local };
        arrays.value(terms, terms.symbol_sort(symbol), self.word(symbol))
    }

    /// Sets the value of a function for these arguments.
    pub fn set_entry(&mut self, terms: &Terms, function: Function, args: &[Value], value: &Value) {
        let sorts = terms.function_parameters(function);
        let key: Vec<u64> =
            args.iter().zip(sorts).map(|(arg, &sort)| self.word_of(terms, sort, arg)).collect();
        let word = self.word_of(terms, terms.function_result(function), value);
        self.table_mut(function).entries.insert(key.into(), word);
    }

    /// Sets the value of a function for all arguments without an entry.
    pub fn set_default(&mut self, terms: &Terms, function: Function, value: &Value) {
        let word = self.word_of(terms, terms.function_result(function), value);
        self.table_mut(function).default = word;
    }

    /// The entries of a function by ascending argument words, and its default.
    pub fn entries(&self, terms: &Terms, function: Function) -> (Vec<(Vec<Value>, Value)>, Value) {
        let mut local = ArrayPool::default();
        let arrays = Arrays { base: &self.arrays, local: &mut local };
        let (sorts, result) =
            (terms.function_parameters(function), terms.function_result(function));
        let Some(table) = self.table(function) else {
            return (Vec::new(), arrays.value(terms, result, 0));
        };
        let entries = table.entries.iter().map(|(key, &word)| {
            let args = key.iter().zip(sorts).map(|(&arg, &sort)| arrays.value(terms, sort, arg));
            (args.collect(), arrays.value(terms, result, word))
        });
        (entries.collect(), arrays.value(terms, result, table.default))
    }

    pub(crate) fn word(&self, symbol: Symbol) -> u64 {
        self.symbols.get(symbol.index()).copied().unwrap_or(0)
    }

    pub(crate) fn set_word(&mut self, symbol: Symbol, word: u64) {
        if symbol.index() >= self.symbols.len() {
            self.symbols.resize(symbol.index() + 1, 0);
        }
        self.symbols[symbol.index()] = word;
    }

    pub(crate) fn table(&self, function: Function) -> Option<&FunctionTable> {
        self.functions.get(function.index())
    }

    pub(crate) fn table_mut(&mut self, function: Function) -> &mut FunctionTable {
        if function.index() >= self.functions.len() {
            self.functions.resize(function.index() + 1, FunctionTable::default());
        }
        &mut self.functions[function.index()]
    }

    fn word_of(&mut self, terms: &Terms, sort: Sort, value: &Value) -> u64 {
        if let Some(word) = scalar_word(value, sort) {
            return word;
        }
        let (Value::Array(array), Sort::Array(_)) = (value, sort) else {
            panic!("{value:?} is not a value of {sort:?}");
        };
        let (index, element) = terms.array_parts(sort);
        let default = self.word_of(terms, element, &array.default);
        let mut words = ArrayWords { default, entries: Vec::new() };
        for (at, held) in &array.entries {
            let at = self.word_of(terms, index, at);
            let held = self.word_of(terms, element, held);
            words.set(at, held);
        }
        self.arrays.add(words, index)
    }
}
