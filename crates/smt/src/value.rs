//! Concrete values: as people see them (`Value`), and as the evaluator handles them (words, arrays
//! interned by number).

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::fold::{float32, float64, word32, word64};
use crate::sort::{Sort, SortId, mask};
use crate::terms::Terms;

/// A value of some sort. Floats compare as Rust floats do; use [`Value::same`] for identity.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Bool(bool),
    BitVec {
        width: u32,
        bits: u64,
    },
    Float32(f32),
    Float64(f64),
    /// The elements of an uninterpreted sort are numbered.
    Element(SortId, u64),
    Array(ArrayValue),
}

/// An array value: `entries` by ascending index, `default` everywhere else.
#[derive(Clone, PartialEq, Debug)]
pub struct ArrayValue {
    pub default: Box<Value>,
    pub entries: Vec<(Value, Value)>,
}

impl Value {
    /// The value if it is a Bool.
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(value) = self { Some(*value) } else { None }
    }

    /// The bits of a bit-vector.
    pub fn as_bits(&self) -> Option<u64> {
        if let Value::BitVec { bits, .. } = self { Some(*bits) } else { None }
    }

    /// A 32-bit vector as Java's `int`.
    pub fn as_int(&self) -> Option<i32> {
        if let Value::BitVec { width: 32, bits } = self { Some(*bits as u32 as i32) } else { None }
    }

    /// A 64-bit vector as Java's `long`.
    pub fn as_long(&self) -> Option<i64> {
        if let Value::BitVec { width: 64, bits } = self { Some(*bits as i64) } else { None }
    }

    /// Identity: as `==`, but NaN is NaN and 0.0 is not -0.0.
    pub fn same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Float32(one), Value::Float32(two)) => word32(*one) == word32(*two),
            (Value::Float64(one), Value::Float64(two)) => word64(*one) == word64(*two),
            (Value::Array(one), Value::Array(two)) => {
                one.default.same(&two.default)
                    && one.entries.len() == two.entries.len()
                    && one
                        .entries
                        .iter()
                        .zip(&two.entries)
                        .all(|(a, b)| a.0.same(&b.0) && a.1.same(&b.1))
            }
            (_, _) => self == other,
        }
    }
}

/// An array as words, in normal form: entries sorted by index, none equal to the default.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ArrayWords {
    pub(crate) default: u64,
    pub(crate) entries: Vec<(u64, u64)>,
}

impl ArrayWords {
    pub(crate) fn get(&self, index: u64) -> u64 {
        match self.entries.binary_search_by_key(&index, |entry| entry.0) {
            Ok(at) => self.entries[at].1,
            Err(_) => self.default,
        }
    }

    pub(crate) fn set(&mut self, index: u64, element: u64) {
        match self.entries.binary_search_by_key(&index, |entry| entry.0) {
            Ok(at) if element == self.default => {
                self.entries.remove(at);
            }
            Ok(at) => self.entries[at].1 = element,
            Err(_) if element == self.default => {}
            Err(at) => self.entries.insert(at, (index, element)),
        }
    }

    /// Makes equal arrays equal words: where entries cover half of a finite index sort or more, the
    /// default becomes the most frequent element (the smallest of several).
    fn normalize(mut self, index: Sort) -> ArrayWords {
        let Some(bits) = index.bits().filter(|&bits| bits <= 16) else { return self };
        let domain = 1usize << bits;
        if self.entries.len() * 2 < domain {
            return self;
        }
        let mut elements: Vec<u64> = (0..domain as u64).map(|index| self.get(index)).collect();
        let all = elements.clone();
        elements.sort_unstable();
        let mut best = (0, self.default);
        for run in elements.chunk_by(|one, two| one == two) {
            if run.len() > best.0 {
                best = (run.len(), run[0]);
            }
        }
        self.default = best.1;
        self.entries = (0u64..).zip(all).filter(|&(_, element)| element != best.1).collect();
        self
    }
}

/// Arrays by number. Number 0 is the array of zeros: the default of every array sort.
#[derive(Clone, Debug)]
pub(crate) struct ArrayPool {
    arrays: Vec<ArrayWords>,
    numbers: HashMap<ArrayWords, u64, FxBuildHasher>,
}

impl Default for ArrayPool {
    fn default() -> ArrayPool {
        let mut pool = ArrayPool { arrays: Vec::new(), numbers: HashMap::default() };
        pool.intern(ArrayWords { default: 0, entries: Vec::new() });
        pool
    }
}

impl ArrayPool {
    fn intern(&mut self, array: ArrayWords) -> u64 {
        if let Some(&number) = self.numbers.get(&array) {
            return number;
        }
        let number = self.arrays.len() as u64;
        self.arrays.push(array.clone());
        self.numbers.insert(array, number);
        number
    }

    pub(crate) fn add(&mut self, array: ArrayWords, index: Sort) -> u64 {
        self.intern(array.normalize(index))
    }

    pub(crate) fn clear(&mut self) {
        if self.arrays.len() > 1 {
            self.arrays.truncate(1);
            let zeros = self.arrays[0].clone();
            self.numbers.clear();
            self.numbers.insert(zeros, 0);
        }
    }
}

/// The arrays of an assignment, and above them those that an evaluation makes.
pub(crate) struct Arrays<'a> {
    pub(crate) base: &'a ArrayPool,
    pub(crate) local: &'a mut ArrayPool,
}

impl Arrays<'_> {
    pub(crate) fn get(&self, number: u64) -> &ArrayWords {
        let (number, base) = (number as usize, self.base.arrays.len());
        if number < base { &self.base.arrays[number] } else { &self.local.arrays[number - base] }
    }

    pub(crate) fn add(&mut self, array: ArrayWords, index: Sort) -> u64 {
        let array = array.normalize(index);
        if let Some(&number) = self.base.numbers.get(&array) {
            return number;
        }
        self.base.arrays.len() as u64 + self.local.intern(array)
    }

    /// A word as a value.
    pub(crate) fn value(&self, terms: &Terms, sort: Sort, word: u64) -> Value {
        match sort {
            Sort::Bool => Value::Bool(word != 0),
            Sort::BitVec(width) => Value::BitVec { width: u32::from(width), bits: word },
            Sort::Float32 => Value::Float32(float32(word)),
            Sort::Float64 => Value::Float64(float64(word)),
            Sort::Uninterpreted(id) => Value::Element(id, word),
            Sort::Array(_) => {
                let (index, element) = terms.array_parts(sort);
                let array = self.get(word);
                let entries = array.entries.iter().map(|&(at, held)| {
                    (self.value(terms, index, at), self.value(terms, element, held))
                });
                Value::Array(ArrayValue {
                    default: Box::new(self.value(terms, element, array.default)),
                    entries: entries.collect(),
                })
            }
        }
    }
}

/// The word of a scalar value; nothing if it is an array or not of the sort.
pub(crate) fn scalar_word(value: &Value, sort: Sort) -> Option<u64> {
    match (value, sort) {
        (Value::Bool(value), Sort::Bool) => Some(u64::from(*value)),
        (Value::BitVec { width, bits }, Sort::BitVec(expected)) => {
            (*width == u32::from(expected)).then_some(bits & mask(*width))
        }
        (Value::Float32(value), Sort::Float32) => Some(word32(*value)),
        (Value::Float64(value), Sort::Float64) => Some(word64(*value)),
        (Value::Element(id, number), Sort::Uninterpreted(expected)) => {
            (*id == expected).then_some(*number)
        }
        (_, _) => None,
    }
}
