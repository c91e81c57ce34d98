//! Deadlocks: which locks threads can wait for in a circle.
//!
//! The way through: the classes and who can call them (`universe`), the methods that matter and what
//! each does (`slice`, `extract`, `values`, `escape`), what fields hold (`fields`), what calling each
//! method may lock (`graph`, `summary`), the circles (`cycles`) and which of them cannot happen
//! (`feasible`). Deliberately absent: symbolic execution, and anything that runs code.

mod cycles;
mod describe;
mod escape;
mod extract;
mod facts;
mod feasible;
mod fields;
mod graph;
mod guards;
mod init;
mod names;
mod path;
mod primitives;
mod slice;
mod summary;
mod universe;
mod values;
mod waits;
mod witness;

pub use witness::{HangOutcome, HangProgram, HangRole, HangRunner, Stop};

use program::{ClassId, Program};

use crate::finding::Finding;
use crate::report::{Stat, StatValue};
use crate::verdict::{Construction, Evidence, Gap, GapKind, Replay, Verdict};

pub struct Analysis {
    pub stats: Vec<Stat>,
    pub debug: String,
    candidates: Vec<describe::Candidate>,
}

impl Analysis {
    /// The findings as they are, without a JVM.
    pub fn findings(self) -> Vec<Finding> {
        self.candidates.into_iter().map(|candidate| with_source(candidate)).collect()
    }

    /// Runs the programs and gives each finding the verdict that it has earned.
    pub fn replay(self, runner: &dyn HangRunner) -> Vec<Finding> {
        let programs: Vec<HangProgram> =
            self.candidates.iter().filter_map(|it| it.program.clone()).collect();
        let mut outcomes = runner.run(&programs).into_iter();
        let mut findings = Vec::new();
        for candidate in self.candidates {
            let outcome = if candidate.program.is_some() { outcomes.next() } else { None };
            let program = candidate.program.clone();
            let mut finding = with_source(candidate);
            if let (Some(outcome), Some(program)) = (outcome, program) {
                judge(&mut finding, &program, outcome);
            }
            findings.push(finding);
        }
        findings
    }
}

fn with_source(candidate: describe::Candidate) -> Finding {
    let mut finding = candidate.finding;
    if let (Some(program), Some(evidence)) = (&candidate.program, finding.verdict.evidence()) {
        let construction =
            if program.is_public { Construction::Public } else { Construction::Package };
        let evidence = Evidence { witness: program.source(), construction, ..evidence.clone() };
        finding.verdict = Verdict::from_evidence(evidence, Vec::new());
    }
    finding
}

fn judge(finding: &mut Finding, program: &HangProgram, outcome: HangOutcome) {
    let Some(evidence) = finding.verdict.evidence().cloned() else { return };
    let (replay, observed, gaps) = match outcome {
        HangOutcome::Hung(seen) => (Replay::Reproduced, seen, Vec::new()),
        HangOutcome::Finished => (Replay::Inconclusive, Vec::new(), Vec::new()),
        HangOutcome::Failed(why) => {
            let gap =
                Gap::new(GapKind::Unsupported, format!("the program could not be run: {why}"));
            (Replay::NotRun, Vec::new(), vec![gap])
        }
    };
    let _ = program;
    let evidence = Evidence { replay, observed, ..evidence };
    finding.verdict = Verdict::from_evidence(evidence, gaps);
}

/// Judges the given classes of the program.
pub fn analyse_locks(program: &Program, judged: &[ClassId]) -> Analysis {
    let t = std::time::Instant::now();
    let mut debug = String::new();
    let mut tick = |what: &str| {
        eprintln!("{what} {:?}", t.elapsed());
        debug.push_str(what);
    };
    let universe = universe::Universe::new(program, judged);
    tick("universe");
    let paths = path::Paths::new();
    let slice = slice::gather_slice(&universe, &paths, judged);
    tick("slice");
    let fields = fields::collect_fields(&universe, &paths, &slice);
    tick("fields");
    let components = graph::order_components(&slice);
    tick("graph");
    eprintln!(
        "slice {} relevant {} largest {}",
        slice.methods.len(),
        components.order.iter().map(Vec::len).sum::<usize>(),
        components.largest
    );
    if std::env::var("GLUE").is_ok() {
        let big = components.order.iter().max_by_key(|it| it.len()).unwrap();
        let set: std::collections::BTreeSet<usize> = big.iter().copied().collect();
        let callees = graph::callees(&slice);
        let mut indeg = std::collections::BTreeMap::new();
        let mut out = Vec::new();
        for &m in big {
            let mut n = 0;
            for &c in &callees[m] {
                if set.contains(&(c as usize)) {
                    *indeg.entry(c).or_insert(0) += 1;
                    n += 1;
                }
            }
            out.push((n, m));
        }
        let text = |m: usize| {
            let (c, d) = program.method(slice.methods[m]);
            format!(
                "{}.{}{}",
                program.class_text(c.name),
                program.names.text(d.name),
                program.names.text(d.descriptor)
            )
        };
        let mut v: Vec<_> = indeg.into_iter().map(|(c, n)| (n, c as usize)).collect();
        v.sort();
        v.reverse();
        for (n, c) in v.iter().take(40) {
            eprintln!("in {n} {}", text(*c));
        }
        out.sort();
        out.reverse();
        for (n, c) in out.iter().take(40) {
            eprintln!("out {n} {}", text(*c));
        }
        return Analysis { stats: vec![], debug, candidates: vec![] };
    }
    use rayon::prelude::*;
    let entries = slice.methods.par_iter().map(|&method| universe.is_entry(method)).collect();
    let context = summary::Context {
        universe: &universe,
        paths: &paths,
        slice: &slice,
        fields: &fields,
        entries,
        depth: std::env::var("DEPTH").map_or(6, |it| it.parse().unwrap_or(6)),
    };
    let summaries = summary::summarise(&context, &components.order);
    tick("summaries");
    if std::env::var("TOP").is_ok() {
        let mut count: std::collections::HashMap<String, usize> = Default::default();
        for s in &summaries {
            for a in &s.acquires {
                let p = paths.of(a.lock.val.path);
                let c = a.lock.val.class.map(|c| program.class_text(program.class_name(c)));
                let f = |f: program::FieldId| {
                    format!(
                        "{}.{}",
                        program.class_text(program.class_name(f.class)),
                        program.names.text(program.field(f).1.name)
                    )
                };
                let root = match p.root {
                    path::Root::Static(x) => f(x),
                    path::Root::Class(x) => program.class_text(program.class_name(x)),
                    path::Root::Param(_) => "param".into(),
                    path::Root::Alloc(m, pc) => {
                        format!("alloc {} {}", program.class_text(program.class_name(m.class)), pc)
                    }
                    other => format!("{other:?}"),
                };
                let steps: Vec<String> = p
                    .steps()
                    .iter()
                    .map(|st| match st {
                        path::Step::Field(x) => f(*x),
                        o => format!("{o:?}"),
                    })
                    .collect();
                *count.entry(format!("{root} / {} : {c:?}", steps.join("/"))).or_default() += 1;
            }
        }
        let mut v: Vec<_> = count.into_iter().map(|(k, v)| (v, k)).collect();
        v.sort();
        v.reverse();
        for (n, k) in v.iter().take(60) {
            eprintln!("{n} {k}");
        }
        let mut per: Vec<usize> = summaries.iter().map(|s| s.acquires.len()).collect();
        per.sort();
        per.reverse();
        eprintln!("{:?} distinct {}", &per[..10], v.len());
    }
    let circles = cycles::find_circles(&context, &summaries);
    tick("cycles");
    let mut candidates = describe::describe(&context, &summaries, &circles);
    let waits = waits::find_hopeless_waits(&context, &summaries);
    candidates.extend(describe::describe_waits(&context, &summaries, &waits));
    let callers = graph::callers(&slice);
    candidates.extend(init::find_init_circles(&context, &callers, &Default::default()));
    tick("init");
    let count = |name, value: usize| Stat { name, value: StatValue::Count(value as u64) };
    let stats = vec![
        count("slice_methods", slice.methods.len()),
        count("relevant_methods", components.order.iter().map(Vec::len).sum()),
        count("largest_component", components.largest),
        count("acquires", summaries.iter().map(|it| it.acquires.len()).sum()),
        count("pairs", summaries.iter().map(|it| it.pairs.len()).sum()),
        count("cut", summaries.iter().filter(|it| it.is_cut).count()),
    ];
    Analysis { stats, debug, candidates }
}
