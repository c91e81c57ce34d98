//! `jury diff`: match, judge, observe on two JVMs, report.

mod judge;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use checks::equivalence::{
    self, Edited, Matching, MethodPair, Observe, Observed, Others, Settled, Trial, Unseen,
    match_methods,
};
use checks::replay::Replayed;
use checks::report::{Members, Outcome, Problem, Stat, StatValue};
use checks::witness::Answer;
use checks::witness::supply::Index;
use checks::{Command, Finding, Gap, GapKind, Report, Rule, Scope, Subject, Verdict};
use program::{ClassId, FieldId, Program, RenamedField, Role, World};

use crate::args::{Assumption, DiffArgs};
use crate::glob::Globs;
use crate::interrupt::Interrupt;
use crate::load::{JdkHome, Loaded, load, load_renamed, resources};
use crate::memory::peak_mib;
use crate::replay::JvmReplay;
use crate::witnesses::write_trials;
use judge::Judge;

/// The report on all methods that both versions have.
pub(crate) fn diff(args: &DiffArgs) -> Result<Report> {
    let started = Instant::now();
    let Both { old, new, renamed_fields, numbers } = load_both(args)?;
    crate::run::warn_without(&judge::new_solver());
    let reshaped = equivalence::reshaped(&old.program, &new.program);
    let unseen = equivalence::unseen(&old.program, &new.program);
    let of_old = known_fields((&old.program, &numbers), &unseen.0, &[]);
    let of_new = known_fields((&new.program, &BTreeMap::new()), &unseen.1, &renamed_fields);
    let mut versions = Versions::start(args, &new, reshaped.clone(), &(of_old, of_new));
    let renamed = renamed(args);
    let others = others(args, &new.program, renamed_fields, &numbers);
    let mut matching = match_methods(&old.program, &new.program, &renamed, &others);
    matching.rest_on_names(&new.program, &others);
    let matched = started.elapsed();
    let wanted = wanted(args, &new.program, &matching)?;
    let judge = Judge {
        old: &old.program,
        new: &new.program,
        index: Index::new(&old.program),
        world: World::new(&new.program, new.program.class_ids(Role::Judged)),
        edited: Edited {
            reshaped,
            unseen,
            numbered: numbers.keys().filter_map(|it| old.program.find_class_text(it)).collect(),
            unshared: args.assume.contains(&Assumption::Unshared),
            retyped: equivalence::retyped(&old.program, &new.program),
            ..matching.edited_initialisers(&new.program)
        },
        interrupt: Interrupt::listen(),
    };
    let examined = judge.all(&matching, &wanted);
    let (judged, examined): (BTreeSet<usize>, Vec<_>) = examined.into_iter().unzip();
    let analysed = started.elapsed();
    let settled = equivalence::settle(&new.program, examined, &mut versions);
    write_trials(&new.program, &args.common.witnesses, &settled)?;
    let mut findings = findings(args, &new.program, &matching, (&judged, &wanted), settled);
    findings.extend(replaced(args, &new.program, &matching));
    let mut outcome = Outcome {
        inputs: [&args.old, &args.new].map(|path| path.display().to_string()).to_vec(),
        jdk: new.jdk.as_ref().map(|jdk| jdk.version.clone()),
        n_classes: n_classes(args, &new.program, &matching, &wanted),
        n_methods: wanted.len(),
        findings,
        problems: problems(&old, &new),
        members: Some(members(args, &matching, wanted.len(), &judged)),
        compatibility: compatibility(args, (&old.program, &new.program), &renamed),
        ..Outcome::new(Command::Diff)
    };
    if args.common.output.stats {
        outcome.stats = stats(started, matched, analysed);
        outcome.stats.push(rewritten(&old.program, &new.program, &matching, &wanted));
    }
    Ok(Report::new(outcome))
}

fn members(
    args: &DiffArgs,
    matching: &Matching,
    n_wanted: usize,
    judged: &BTreeSet<usize>,
) -> Members {
    let n_edited = judged.iter().filter(|&&at| matching.pairs[at].is_edited).count();
    Members {
        unchanged: n_wanted - judged.len(),
        changed: n_edited,
        affected: judged.len() - n_edited,
        added: n_listed(args, &matching.added),
        removed: n_listed(args, &matching.removed),
    }
}

/// What differs beside the code.
fn others(
    args: &DiffArgs,
    new: &Program,
    fields: Vec<RenamedField>,
    numbers: &BTreeMap<String, String>,
) -> Others {
    let numbered = numbers.keys().filter(|it| new.find_class_text(it).is_some());
    Others {
        resources: other_resources(args),
        fields,
        numbered: numbered.cloned().collect(),
        moved: numbers.keys().chain(numbers.values()).cloned().collect(),
    }
}

/// Classes that are to be matched under other names: old by new.
fn renamed(args: &DiffArgs) -> BTreeMap<String, String> {
    let internal = |name: &str| name.replace('.', "/");
    args.matches.iter().map(|it| (internal(&it.old), internal(&it.new))).collect()
}

/// What is said of members that only one version has, unless the user asks for one method.
fn compatibility(
    args: &DiffArgs,
    (old, new): (&Program, &Program),
    renamed: &BTreeMap<String, String>,
) -> Option<String> {
    let globs = Globs::new(&args.common.only);
    let name = |was: &str| renamed.get(was).cloned().unwrap_or_else(|| was.to_owned());
    let found = equivalence::compatibility(old, new, &name, &|class| globs.matches(class));
    args.method.is_none().then(|| found.sentence())
}

/// Both versions.
struct Both {
    old: Loaded,
    new: Loaded,
    /// Private fields of the new one, which go by their old names.
    renamed_fields: Vec<RenamedField>,
    /// What anonymous and local classes of the old one, which go by their new numbers, are called in it.
    numbers: BTreeMap<String, String>,
}

fn load_both(args: &DiffArgs) -> Result<Both> {
    let mut old = load(std::slice::from_ref(&args.old), &args.common.classpath)?;
    let mut new = load(std::slice::from_ref(&args.new), &args.common.classpath)?;
    let numbers = equivalence::renumbered(&old.program, &new.program);
    if !numbers.is_empty() {
        old = load_renamed(&args.old, &args.common.classpath, &numbers)?;
    }
    let mut renamed_fields = equivalence::renamed_fields(&old.program, &new.program);
    new.program.rename_fields(&renamed_fields);
    let doubtful = equivalence::not_borne_out(&old.program, &new.program, &renamed_fields);
    if !doubtful.is_empty() {
        new = load(std::slice::from_ref(&args.new), &args.common.classpath)?;
        renamed_fields.retain(|it| !doubtful.contains(&it.field));
        // Only classes that were read can be told what their fields go by.
        renamed_fields.retain(|it| new.program.class(it.field.class).is_some());
        new.program.rename_fields(&renamed_fields);
    }
    let numbers = numbers.into_iter().map(|(was, now)| (now, was)).collect();
    Ok(Both { old, new, renamed_fields, numbers })
}

/// All classes of the new version, or those that the user asks for.
fn n_classes(
    args: &DiffArgs,
    new: &Program,
    matching: &Matching,
    wanted: &BTreeSet<usize>,
) -> usize {
    if args.method.is_none() && args.common.only.is_empty() {
        return new.class_ids(Role::Judged).count();
    }
    wanted.iter().map(|&at| matching.pairs[at].new.class).collect::<BTreeSet<_>>().len()
}

/// Of members that only one version has, those of the classes that the user asks for.
fn n_listed(args: &DiffArgs, members: &[String]) -> usize {
    if args.method.is_some() {
        return 0;
    }
    let globs = Globs::new(&args.common.only);
    let class = |member: &&String| {
        let name = member.split('(').next().unwrap_or_default();
        let class = name.rsplit_once('.').map_or("", |(class, _)| class);
        globs.matches(class.rsplit(' ').next().unwrap_or_default())
    };
    members.iter().filter(class).count()
}

/// What is said of the pairs that were judged, and of the others where that is asked for.
fn findings(
    args: &DiffArgs,
    new: &Program,
    matching: &Matching,
    (judged, wanted): (&BTreeSet<usize>, &BTreeSet<usize>),
    settled: Vec<Settled>,
) -> Vec<Finding> {
    let findings = settled.into_iter().map(|settled| settled.finding);
    let mut findings: BTreeMap<usize, Finding> = judged.iter().copied().zip(findings).collect();
    let inherited = inherited_assumptions(matching, &mut findings);
    // Whoever names a method wants an answer, also where its code is the same.
    let is_all = args.common.output.all || args.method.is_some();
    if !is_all {
        fold_callers(matching, &mut findings);
    }
    let mut findings: Vec<Finding> = findings.into_values().collect();
    if is_all {
        let rest = wanted.iter().filter(|at| !judged.contains(at));
        let nothing = BTreeSet::new();
        findings.extend(rest.filter_map(|&at| {
            unchanged(new, &matching.pairs[at], inherited.get(&at).unwrap_or(&nothing))
        }));
    }
    findings
}

/// Classes that run another method now where callers name them.
fn replaced(args: &DiffArgs, new: &Program, matching: &Matching) -> Vec<Finding> {
    let Some(rule) = Rule::named("same-behaviour") else { return Vec::new() };
    let globs = Globs::new(&args.common.only);
    let mut found = Vec::new();
    for replaced in matching.replaced.iter().filter(|_| args.method.is_none()) {
        let class = new.class_text(new.class_name(replaced.class));
        if !globs.matches(&class) {
            continue;
        }
        let (before, after) = (&replaced.before, &replaced.after);
        let gap = Gap::new(
            GapKind::Unsupported,
            format!("calls of it ran the code of {before}, and now run that of {after}"),
        );
        let simple = equivalence::simple_name(&class);
        let message = format!("Whether {simple}.{} does what it did is not known.", replaced.name);
        let subject = Subject {
            method: Some(format!("{}{}", replaced.name, replaced.descriptor)),
            class: Some(class),
            file: None,
            line: None,
        };
        found.push(Finding::new(rule, Verdict::Unknown(vec![gap]), subject, message));
    }
    found
}

fn rewritten(old: &Program, new: &Program, matching: &Matching, wanted: &BTreeSet<usize>) -> Stat {
    let count = equivalence::n_rewritten(old, new, matching, wanted);
    Stat { name: "rewritten", value: StatValue::Count(count) }
}

fn stats(started: Instant, matched: Duration, analysed: Duration) -> Vec<Stat> {
    let real = |name, value| Stat { name, value: StatValue::Real(value) };
    let mut stats = vec![
        real("seconds", started.elapsed().as_secs_f64()),
        real("matching_seconds", matched.as_secs_f64()),
        real("analysis_seconds", analysed.as_secs_f64()),
    ];
    stats.extend(peak_mib().map(|mib| Stat { name: "peak_mib", value: StatValue::Count(mib) }));
    stats
}

/// The pairs that the user asks for, by position.
fn wanted(args: &DiffArgs, new: &Program, matching: &Matching) -> Result<BTreeSet<usize>> {
    let globs = Globs::new(&args.common.only);
    let fits = |pair: &MethodPair| {
        let (class, declared) = new.method(pair.new);
        let (class, names) = (new.class_text(class.name), &new.names);
        let Some(wanted) = &args.method else { return globs.matches(&class) };
        let (name, descriptor) = (names.text(declared.name), names.text(declared.descriptor));
        *wanted == format!("{class}.{name}{descriptor}") || *wanted == format!("{class}.{name}")
    };
    let pairs = matching.pairs.iter().enumerate();
    let found: BTreeSet<usize> = pairs.filter(|(_, pair)| fits(pair)).map(|(at, _)| at).collect();
    if let (Some(wanted), true) = (&args.method, found.is_empty()) {
        bail!("both versions must have {wanted}; write it as p.C.m(I)J");
    }
    Ok(found)
}

/// Files beside the classes that only one version has, or that differ.
fn other_resources(args: &DiffArgs) -> BTreeSet<String> {
    let (before, after) = (resources(&args.old), resources(&args.new));
    let paths = before.keys().chain(after.keys());
    paths.filter(|path| before.get(*path) != after.get(*path)).cloned().collect()
}

/// Methods of the same code, of which nothing is known but that they use others: one word with each of
/// these says more than a finding for every one of them.
fn fold_callers(matching: &Matching, findings: &mut BTreeMap<usize, Finding>) {
    let is_open = |finding: &Finding| !matches!(finding.verdict, Verdict::Holds(_));
    let open: BTreeSet<usize> =
        findings.iter().filter(|(_, finding)| is_open(finding)).map(|(&at, _)| at).collect();
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for (caller, root) in matching.roots(&open) {
        let is_unknown =
            findings.get(&caller).is_some_and(|it| matches!(it.verdict, Verdict::Unknown(_)));
        if is_unknown && findings.contains_key(&root) {
            findings.remove(&caller);
            *counts.entry(root).or_default() += 1;
        }
    }
    for (root, count) in counts {
        let Some(finding) = findings.get_mut(&root) else { continue };
        let note = match count {
            1 => "a method that uses it has the same code, and does what it did wherever this does"
                .to_owned(),
            _ => format!(
                "{count} methods that use it have the same code, and do what they did wherever this does"
            ),
        };
        finding.notes.push(note);
    }
    fold_bystanders(matching, findings);
}

/// Methods of the same code that are open for one and the same reason, which no method is to blame for, but
/// what lies beside the code: the first of them stands for all.
fn fold_bystanders(matching: &Matching, findings: &mut BTreeMap<usize, Finding>) {
    let mut alike: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (&at, finding) in findings.iter().filter(|(at, _)| !matching.pairs[**at].is_edited) {
        if let Verdict::Unknown(gaps) = &finding.verdict
            && let [gap] = &gaps[..]
            && matching.is_beside(at, &gap.detail)
        {
            alike.entry(gap.detail.clone()).or_default().push(at);
        }
    }
    for (first, others) in alike.into_values().filter_map(|all| {
        let (&first, others) = all.split_first()?;
        (!others.is_empty()).then(|| (first, others.to_vec()))
    }) {
        others.iter().for_each(|at| drop(findings.remove(at)));
        if let Some(finding) = findings.get_mut(&first) {
            let methods = if others.len() == 1 { "method" } else { "methods" };
            finding.notes.push(format!(
                "{} more {methods} of the same code cannot be told for this reason; --all lists them",
                others.len()
            ));
        }
    }
}

/// What was assumed of a method is assumed of those that use it: of the judged ones here, of the others in
/// what is given back.
fn inherited_assumptions(
    matching: &Matching,
    findings: &mut BTreeMap<usize, Finding>,
) -> BTreeMap<usize, BTreeSet<String>> {
    let mut found: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    for (&at, finding) in findings.iter() {
        let Verdict::Holds(scope) = &finding.verdict else { continue };
        let passed = scope.assumptions.iter().filter(|it| *it != equivalence::VERY_CLASS);
        let passed: Vec<&String> = passed.collect();
        for user in matching.users(at).into_iter().filter(|&user| user != at) {
            found.entry(user).or_default().extend(passed.iter().map(|&it| it.clone()));
        }
    }
    for (at, assumptions) in &found {
        if let Some(Finding { verdict: Verdict::Holds(scope), .. }) = findings.get_mut(at) {
            let all = scope.assumptions.drain(..).chain(assumptions.iter().cloned());
            let all: BTreeSet<String> = all.collect();
            scope.assumptions.extend(all);
        }
    }
    found
}

fn unchanged(
    program: &Program,
    pair: &MethodPair,
    inherited: &BTreeSet<String>,
) -> Option<Finding> {
    let (class, declared) = program.method(pair.new);
    let names = &program.names;
    let subject = Subject {
        class: Some(program.class_text(class.name)),
        method: Some(format!("{}{}", names.text(declared.name), names.text(declared.descriptor))),
        file: None,
        line: None,
    };
    let own = pair.assumptions.iter().map(|&text| text.to_owned());
    let assumptions: BTreeSet<String> = own.chain(inherited.iter().cloned()).collect();
    let assumptions = assumptions.into_iter().collect();
    let scope = Scope { same_code: true, assumptions, ..Scope::default() };
    let rule = Rule::named("same-behaviour")?;
    Some(Finding::new(rule, Verdict::Holds(scope), subject, "It does what it did."))
}

/// What is the same of both is said once.
fn problems(old: &Loaded, new: &Loaded) -> Vec<Problem> {
    let mut problems = old.reported();
    for problem in new.reported() {
        if !problems.iter().any(|it| (&it.path, &it.message) == (&problem.path, &problem.message)) {
            problems.push(problem);
        }
    }
    problems
}

/// What the JVM of a version is told of fields and classes: fields that only it has, that are private in the
/// other version, or that have another name there; classes that nobody can name.
/// `numbers` says what it calls classes that go by another number.
fn known_fields(
    (program, numbers): (&Program, &BTreeMap<String, String>),
    unseen: &Unseen,
    renamed: &[RenamedField],
) -> Vec<String> {
    let class_text = |id: ClassId| {
        let name = program.class_name(id);
        let was = numbers.get(&*program.names.text(name));
        was.map_or_else(|| program.class_text(name), |was| was.replace('/', "."))
    };
    let mut known = field_names(program, &class_text, &unseen.lone);
    let hidden = field_names(program, &class_text, &unseen.hidden);
    known.extend(hidden.into_iter().map(|it| it + "=-"));
    let mut classes: Vec<String> =
        unseen.nameless.iter().map(|&id| class_text(id) + "=-").collect();
    classes.sort();
    known.extend(classes);
    known.extend(
        renamed.iter().map(|it| format!("{}.{}={}", class_text(it.field.class), it.now, it.was)),
    );
    known
}

/// Fields as a JVM knows them.
fn field_names<'f>(
    program: &Program,
    class_text: &dyn Fn(ClassId) -> String,
    fields: impl IntoIterator<Item = &'f FieldId>,
) -> Vec<String> {
    let name = |&field: &FieldId| {
        let (class, declared) = program.field(field);
        format!("{}.{}", class_text(class.id), program.names.text(declared.name))
    };
    let mut names: Vec<String> = fields.into_iter().map(name).collect();
    names.sort();
    names
}

/// A JVM for each version.
struct Versions {
    jvms: Option<(JvmReplay, JvmReplay)>,
    /// Classes that have other fields in the new version.
    reshaped: Vec<String>,
}

impl Versions {
    fn start(
        args: &DiffArgs,
        loaded: &Loaded,
        reshaped: Vec<String>,
        known: &(Vec<String>, Vec<String>),
    ) -> Versions {
        if args.common.witnesses.no_replay {
            crate::warn(
                "--no-replay: nothing is run on a JVM, so nothing is violated, only possible",
            );
            return Versions { jvms: None, reshaped };
        }
        let Some(jdk) = loaded.jdk.as_ref() else {
            crate::warn("no JDK: nothing is run on a JVM, so nothing is violated, only possible");
            return Versions { jvms: None, reshaped };
        };
        let start = |version: &PathBuf, jdk: &JdkHome, known: &[String]| {
            let paths = [std::slice::from_ref(version), &args.common.classpath.cp[..]].concat();
            let jvm = JvmReplay::start(jdk, &paths)?;
            jvm.know_fields(known)?;
            anyhow::Ok(jvm)
        };
        match (start(&args.old, jdk, &known.0), start(&args.new, jdk, &known.1)) {
            (Ok(old), Ok(new)) => Versions { jvms: Some((old, new)), reshaped },
            (Err(error), _) | (_, Err(error)) => {
                crate::warn(&format!("no call can be observed: {error:#}"));
                Versions { jvms: None, reshaped }
            }
        }
    }
}

impl Observe for Versions {
    fn observe(&mut self, trials: &[Trial]) -> Vec<Observed> {
        self.on_both(trials, JvmReplay::observe)
    }

    fn observe_row(&mut self, trials: &[Trial]) -> Vec<Observed> {
        self.on_both(trials, JvmReplay::observe_row)
    }

    fn observe_elsewhere(&mut self, trials: &[Trial]) -> Vec<Observed> {
        self.on_both(trials, |jvm, trials| match jvm.elsewhere() {
            Ok(mut other) => other.observe(trials),
            Err(_) => vec![Replayed::NotRun; trials.len()],
        })
    }
}

impl Versions {
    fn on_both(
        &mut self,
        trials: &[Trial],
        look: impl Fn(&mut JvmReplay, &[Trial]) -> Vec<Replayed> + Sync,
    ) -> Vec<Observed> {
        let Some((old, new)) = &mut self.jvms else {
            return trials.iter().map(|_| Observed::NotRun).collect();
        };
        if trials.is_empty() {
            return Vec::new();
        }
        let (old, new) = rayon::join(|| look(old, trials), || look(new, trials));
        let pairs = old.into_iter().zip(new);
        pairs.map(|(one, two)| observed(one, two, &self.reshaped)).collect()
    }
}

/// What is worth showing of one version: the outcome and the inputs, and of the rest what the other
/// version does not have.
fn shown(one: &str, other: &str) -> String {
    let other: Vec<&str> = other.split('\t').collect();
    let mut parts = one.split('\t');
    let n_fixed: usize = parts.next().and_then(|count| count.parse().ok()).unwrap_or(usize::MAX);
    let kept = parts.enumerate().filter(|(at, part)| *at < n_fixed || !other.contains(part));
    kept.map(|(_, part)| part).collect::<Vec<_>>().join("\t")
}

/// What both JVMs showed. Where the inputs differ before the call, it says nothing of the method,
/// unless their classes have other fields now: then the same calls made them.
fn observed(old: Replayed, new: Replayed, reshaped: &[String]) -> Observed {
    match (old, new) {
        (Replayed::Answers(old), Replayed::Answers(new)) => match (&old[..], &new[..]) {
            (
                [Answer::Seen(old_given), Answer::Seen(old)],
                [Answer::Seen(new_given), Answer::Seen(new)],
            ) => {
                let is_reshaped = reshaped.iter().any(|class| old_given.contains(&**class));
                if old_given != new_given && !is_reshaped {
                    return Observed::Failed("the inputs differ before the call".to_owned());
                }
                if equivalence::shows_same(old, new) {
                    return Observed::Seen(shown(new, new), shown(new, new));
                }
                Observed::Seen(shown(old, new), shown(new, old))
            }
            (_, _) => Observed::Failed("the harness answered nonsense".to_owned()),
        },
        (Replayed::Failed(reason), _) | (_, Replayed::Failed(reason)) => Observed::Failed(reason),
        (Replayed::NotRun, _) | (_, Replayed::NotRun) => Observed::NotRun,
    }
}
