//! Deadlocks: which locks threads can wait for in a circle.
//!
//! The way through: the classes and who can call them (`universe`), the methods that matter and what
//! each does (`slice`, `extract`, `values`, `escape`), what fields hold (`fields`), what calling each
//! method may lock (`graph`, `summary`), the circles (`cycles`) and which of them cannot happen
//! (`feasible`). Deliberately absent: symbolic execution, and anything that runs code.

mod cycles;
mod escape;
mod extract;
mod facts;
mod feasible;
mod fields;
mod graph;
mod path;
mod primitives;
mod slice;
mod summary;
mod universe;
mod values;

use program::{ClassId, Program};

use crate::report::{Stat, StatValue};

pub struct Analysis {
    pub stats: Vec<Stat>,
    pub debug: String,
}

/// Judges the given classes of the program.
pub fn analyse_locks(program: &Program, judged: &[ClassId]) -> Analysis {
    let t = std::time::Instant::now();
    let mut debug = String::new();
    let mut tick = |what: &str| debug.push_str(&format!("{what} {:?}\n", t.elapsed()));
    let universe = universe::Universe::new(program, judged);
    tick("universe");
    let paths = path::Paths::new();
    let slice = slice::gather_slice(&universe, &paths, judged);
    tick("slice");
    let fields = fields::collect_fields(&universe, &paths, &slice);
    tick("fields");
    let components = graph::order_components(&slice);
    tick("graph");
    use rayon::prelude::*;
    let entries = slice.methods.par_iter().map(|&method| universe.is_entry(method)).collect();
    let context =
        summary::Context { universe: &universe, paths: &paths, slice: &slice, fields: &fields, entries };
    let summaries = summary::summarise(&context, &components.order);
    tick("summaries");
    let cycles = cycles::find_cycles(&context, &summaries);
    tick("cycles");
    debug.push_str(&cycles);
    let count = |name, value: usize| Stat { name, value: StatValue::Count(value as u64) };
    let stats = vec![
        count("slice_methods", slice.methods.len()),
        count("relevant_methods", components.order.iter().map(Vec::len).sum()),
        count("largest_component", components.largest),
        count("acquires", summaries.iter().map(|it| it.acquires.len()).sum()),
        count("pairs", summaries.iter().map(|it| it.pairs.len()).sum()),
        count("cut", summaries.iter().filter(|it| it.is_cut).count()),
    ];
    Analysis { stats, debug }
}
