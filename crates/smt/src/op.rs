//! The operators of terms: few, because the constructors rewrite the rest into these.
//!
//! There is no `or` (it is `not and not`), no `ule` (`not ult` swapped), no bit-vector `sub`, `neg`
//! or `not` (they are sums), no float `sub` (`x - y` is `x + (-y)` in IEEE arithmetic).

use crate::sort::{Function, Symbol};

/// What a node computes from its arguments; the sort of the result is kept beside it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// A constant of Bool (0 or 1), bit-vector (zero above the width) or float sort (its bits, with
    /// the canonical NaN).
    Const(u64),
    Symbol(Symbol),
    Apply(Function),
    Not,
    /// Two or more arguments, sorted by id, no duplicates.
    And,
    Ite,
    /// Identity of values of one sort; of floats: equal `floatToIntBits`, so NaN equals NaN and 0.0
    /// differs from -0.0.
    Eq,
    /// `k0 + k1*t1 + k2*t2 + ...` modulo 2^width, as arguments `k0, k1, t1, k2, t2, ...`, the `t`
    /// sorted by id, the `k` constants.
    Sum,
    /// A product of two or more factors, sorted by id; constant factors stand in sums.
    Mul,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Lshr,
    Ashr,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    /// The bits from `lo` upwards, as many as the sort of the result has.
    Extract {
        lo: u8,
    },
    /// High part, low part.
    Concat,
    ZeroExtend,
    SignExtend,
    Ult,
    Slt,
    FloatAdd,
    FloatMul,
    FloatDiv,
    /// C's `fmod`, Java's `%`. The evaluator is exact; the solver sees an uninterpreted function.
    FloatRem,
    FloatNeg,
    FloatAbs,
    FloatSqrt,
    FloatLt,
    FloatLe,
    FloatEq,
    IsNan,
    /// Signed bit-vector to float, to nearest even.
    IntToFloat,
    /// Float to a 32- or 64-bit vector as `f2i`, `d2l`, ... do: towards zero, saturating, NaN to 0.
    FloatToInt,
    FloatToFloat,
    BitsToFloat,
    FloatToBits,
    Select,
    Store,
    ConstArray,
}
