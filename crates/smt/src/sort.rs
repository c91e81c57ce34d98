//! Sorts of terms and the ids of what a subject declares: symbols, functions, uninterpreted sorts.

/// The sort of a term. Array sorts are interned in [`crate::Terms`], so a sort is a small `Copy`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Sort {
    Bool,
    /// A bit-vector of 1 to 64 bits.
    BitVec(u8),
    /// IEEE binary32 with one NaN: payloads are not modelled, as `Float.floatToIntBits` hides them.
    Float32,
    /// IEEE binary64 with one NaN.
    Float64,
    Uninterpreted(SortId),
    Array(ArraySort),
}

/// An uninterpreted sort of one arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SortId(pub(crate) u16);

/// An interned pair of index and element sort of one arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ArraySort(pub(crate) u16);

/// A free constant of one arena, in order of declaration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub(crate) u32);

/// An uninterpreted function of one arena, in order of declaration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Function(pub(crate) u32);

impl SortId {
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl Symbol {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Function {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Sort {
    /// The width of a bit-vector.
    ///
    /// # Panics
    /// On any other sort: mixing sorts is an error of the caller, not of the analysed program.
    pub fn width(self) -> u32 {
        match self {
            Sort::BitVec(width) => u32::from(width),
            Sort::Bool
            | Sort::Float32
            | Sort::Float64
            | Sort::Uninterpreted(_)
            | Sort::Array(_) => panic!("a bit-vector was expected, not {self:?}"),
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Sort::Float32 | Sort::Float64)
    }

    /// The bits of the values of a sort, where they are a fixed number.
    pub(crate) fn bits(self) -> Option<u32> {
        match self {
            Sort::Bool => Some(1),
            Sort::BitVec(width) => Some(u32::from(width)),
            Sort::Float32 => Some(32),
            Sort::Float64 => Some(64),
            Sort::Uninterpreted(_) | Sort::Array(_) => None,
        }
    }
}

/// All ones in the low `width` bits.
pub(crate) fn mask(width: u32) -> u64 {
    debug_assert!((1..=64).contains(&width));
    u64::MAX >> (64 - width)
}

/// The value of a `width`-bit vector read as two's complement.
pub(crate) fn signed(bits: u64, width: u32) -> i64 {
    let unused = 64 - width;
    ((bits << unused) as i64) >> unused
}
