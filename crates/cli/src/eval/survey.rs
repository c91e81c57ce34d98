//! `jury eval --every`: each method of the classes of `--cp` once on open inputs, and what it cost.
//!
//! With `--json`, one line per method: its name, terms made, what simplifying them cost, the time, and why
//! it was not followed to its end; else the totals.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::Result;
use program::{MethodDescriptor, MethodId, Program, Role, Type};
use rayon::prelude::*;
use symex::symbolic::{Budget, Engine, Options};

use crate::memory;

const SHOWN_REASONS: usize = 12;

struct Cost {
    method: String,
    terms: usize,
    work: u64,
    seconds: f64,
    /// Why the run has a gap: stops, then calls to the outside.
    gap: Option<String>,
}

pub(super) fn survey(program: &Program, is_json: bool) -> Result<String> {
    let start = Instant::now();
    let methods: Vec<MethodId> = program
        .class_ids(Role::Known)
        .filter_map(|id| program.class(id))
        .flat_map(|class| class.methods().map(|(id, _)| id).collect::<Vec<_>>())
        .collect();
    let costs: Vec<Cost> =
        methods.par_iter().filter_map(|&method| measure(program, method)).collect();
    if is_json {
        let lines = costs.iter().map(|cost| {
            let line = serde_json::json!({
                "method": cost.method, "terms": cost.terms, "work": cost.work,
                "seconds": cost.seconds, "gap": cost.gap,
            });
            format!("{line}\n")
        });
        return Ok(lines.collect());
    }
    let seconds = start.elapsed().as_secs_f64();
    let without = costs.iter().filter(|cost| cost.gap.is_none()).count();
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for reason in costs.iter().filter_map(|cost| cost.gap.as_deref()) {
        *reasons.entry(reason).or_default() += 1;
    }
    let mut reasons: Vec<(&str, usize)> = reasons.into_iter().collect();
    reasons.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let mut text = format!(
        "methods {}, without gap {without} ({:.1} %), seconds {seconds:.1}, methods per second {:.0}, \
         peak MiB {}\n",
        costs.len(),
        100.0 * without as f64 / costs.len().max(1) as f64,
        costs.len() as f64 / seconds,
        memory::peak_mib().unwrap_or(0),
    );
    for (reason, count) in reasons.iter().take(SHOWN_REASONS) {
        text.push_str(&format!("{count:>7}  {}\n", crate::render::sanitize::line(reason)));
    }
    Ok(text)
}

/// Nothing for a method without code.
fn measure(program: &Program, method: MethodId) -> Option<Cost> {
    let (class, declared) = program.method(method);
    let names = &program.names;
    let flags = declared.access_flags;
    if flags.is_abstract() || flags.is_native() {
        return None;
    }
    let (name, descriptor) = (names.text(declared.name), names.text(declared.descriptor));
    let text = format!("{}.{name}{descriptor}", program.class_text(class.name));
    let mut types = MethodDescriptor::parse(descriptor.as_bytes())?.parameter_types(names);
    if !flags.is_static() {
        types.insert(0, Type::class(class.name));
    }
    let mut engine = Engine::new(program, Budget::default(), Options::default());
    let mut start = engine.start();
    let mut arguments = Vec::with_capacity(types.len());
    for (at, &ty) in types.iter().enumerate() {
        arguments.push(engine.input(&format!("a{at}"), ty));
    }
    if !flags.is_static() {
        let is_null = engine.is_null(arguments[0]);
        let is_there = engine.space.terms.not(is_null);
        engine.assume(&mut start, is_there);
    }
    let began = Instant::now();
    engine.call(method, arguments, start);
    let seconds = began.elapsed().as_secs_f64();
    let stop = engine.stops.first().map(|stop| stop.reason.clone());
    let outside = engine.outside.first().map(|name| format!("calls {name}"));
    let (terms, work) = (engine.space.terms.len(), engine.space.terms.work());
    Some(Cost { method: text, terms, work, seconds, gap: stop.or(outside) })
}
