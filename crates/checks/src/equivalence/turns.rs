//! Whether loops may be worth following to their end: something in the code must say that there is a near one.

use std::collections::BTreeSet;

use program::ir::{Const, Op};
use program::{MethodId, Program};

/// How often loops that turn more than `few` times may have to be followed, if they may all end within
/// `many`: by the largest such number in the code. A text or a static field may say it as well.
pub(super) fn named_turns(
    methods: [(&Program, &BTreeSet<MethodId>); 2],
    few: u32,
    many: u32,
) -> Option<u32> {
    let turns = |op: &Op| match op {
        Op::Const(Const::String(_)) | Op::GetStatic(_) => Some(few),
        Op::Const(constant) => number(*constant)
            .and_then(|number| u32::try_from(number).ok())
            .filter(|&number| number > few && number <= many),
        _ => None,
    };
    let of_methods = methods.into_iter().flat_map(|(program, methods)| {
        let bodies = methods.iter().filter_map(|&method| program.lower(method).ok().flatten());
        bodies.filter_map(|body| body.instructions.iter().filter_map(|it| turns(&it.op)).max())
    });
    of_methods.max()
}

fn number(constant: Const) -> Option<i64> {
    match constant {
        Const::Int(value) => Some(i64::from(value).abs()),
        Const::Long(value) => Some(value.saturating_abs()),
        Const::Float(bits) => Some(f32::from_bits(bits).abs() as i64),
        Const::Double(bits) => Some(f64::from_bits(bits).abs() as i64),
        Const::Null
        | Const::String(_)
        | Const::Class(_)
        | Const::MethodType(_)
        | Const::Dynamic(..) => None,
    }
}
