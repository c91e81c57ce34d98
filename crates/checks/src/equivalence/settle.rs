//! From candidates to verdicts, with two JVMs in between.

use std::collections::BTreeMap;
use std::sync::Arc;

use program::{ClassId, Program, Role};

use super::drawing::draw;
use super::matching::MethodPair;
use super::proof::Proof;
use super::reading::{scene, shown};
use super::shorter::shorter;
use super::story::{Further, Then};
use super::trial::{CallKind, Examined, Trial};
use super::watch::{Watched, is_probe};
use crate::finding::{Finding, Subject};
use crate::rule::Rule;
use crate::verdict::{Construction, Evidence, Gap, GapKind, Replay, Verdict};
use crate::witness::supply::member;
use crate::witness::{Access, Member};

/// Makes calls in both versions, each on a JVM of its own.
pub trait Observe {
    /// One result for each trial, in order; none sees what another left behind.
    fn observe(&mut self, trials: &[Trial]) -> Vec<Observed>;

    /// The same for calls one after the other; after a few that a JVM does not survive, it stops.
    fn observe_row(&mut self, trials: &[Trial]) -> Vec<Observed>;

    /// As `observe`, on JVMs that are started for it, in other directories.
    fn observe_elsewhere(&mut self, trials: &[Trial]) -> Vec<Observed>;
}

/// What two JVMs showed of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Observed {
    /// What everyone can see of the outcome, old and new, in parts with a tab between.
    Seen(String, String),
    Failed(String),
    /// A difference that other JVMs do not show.
    ByChance,
    NotRun,
}

impl Observed {
    fn differs(&self) -> bool {
        matches!(self, Observed::Seen(old, new) if old != new)
    }
}

/// A finding with the call that it rests on, if there is one.
pub struct Settled {
    pub finding: Finding,
    pub trial: Option<Trial>,
}

/// Calls of one pair that the JVMs are asked again about at once, and of the longer ones how often.
const ASKED_AT_ONCE: usize = 4;
const MOST_ROUNDS_AGAIN: usize = 6;
/// Further JVMs that must show what is reported: the order of `Set.of` and much else is drawn by lot
/// when a JVM starts, and of two elements every second one draws the same.
const MORE_JVMS: usize = 2;
/// How often a trial that shows something is made shorter.
const MOST_ROUNDS: usize = 12;

/// Observes the candidates of all pairs and says what came of each.
pub fn settle(
    new: &Program,
    mut examined: Vec<Examined>,
    observe: &mut dyn Observe,
) -> Vec<Settled> {
    let Some(rule) = Rule::named("same-behaviour") else { return Vec::new() };
    ask_proved(new, &mut examined);
    let trials: Vec<Trial> = examined
        .iter()
        .filter_map(|examined| examined.candidates.first())
        .map(|(trial, _)| trial.clone())
        .collect();
    let mut seen = observe_twice(&trials, observe).into_iter();
    let mut shown: Vec<Option<Shown>> = examined
        .iter()
        .map(|examined| {
            let candidate = examined.candidates.first().cloned();
            let candidate = candidate.map(|(trial, is_open)| Shown {
                trial,
                is_open,
                observed: seen.next().unwrap_or(Observed::NotRun),
            });
            show(examined, candidate, observe)
        })
        .collect();
    doubt_chance(&mut shown, observe);
    let both = examined.into_iter().zip(shown);
    both.map(|(examined, shown)| settle_one(new, rule, &examined, shown)).collect()
}

/// Lets edited methods that are proved be asked after calls of others: of equal objects they say the same, so
/// what they say differently is the doing of the call before.
fn ask_proved(program: &Program, examined: &mut [Examined]) {
    let mut probes: BTreeMap<ClassId, Vec<Member>> = BTreeMap::new();
    for proved in examined.iter().filter(|it| it.is_proved()) {
        let (class, declared) = program.method(proved.pair.new);
        if is_probe(program, declared) {
            let member = member(program, class, declared.name, declared.descriptor, Access::Public);
            probes.entry(class.id).or_default().push(member);
        }
    }
    for examined in examined.iter_mut().filter(|it| !it.is_proved()) {
        let Some(found) = probes.get(&examined.pair.new.class) else { continue };
        let candidates = examined.candidates.iter_mut().map(|(trial, _)| trial);
        for trial in candidates.chain(&mut examined.untold) {
            let found = found.iter().filter(|it| it.class == trial.method.class);
            Arc::make_mut(&mut trial.watched).probes.extend(found.cloned());
        }
    }
}

/// A call, and what the JVMs showed of it.
struct Shown {
    trial: Trial,
    is_open: bool,
    observed: Observed,
}

/// The call that says most of a pair.
fn show(examined: &Examined, candidate: Option<Shown>, observe: &mut dyn Observe) -> Option<Shown> {
    let candidate = candidate.and_then(|shown| {
        if !shown.observed.differs() {
            return Some(shown);
        }
        let (trial, observed) = blame(shown.trial, shown.observed, observe)?;
        Some(Shown { trial, observed, ..shown })
    });
    let is_shown = candidate.as_ref().is_some_and(|candidate| candidate.observed.differs());
    let found = if is_shown { None } else { try_untold(&examined.untold, observe) };
    let found = found.map(|(trial, observed)| Shown { trial, is_open: true, observed });
    let shown = found.or(candidate)?;
    if shown.observed.differs() && !shorter(&shown.trial).is_empty() {
        let (trial, observed) = reduce((shown.trial, shown.observed), observe);
        return Some(Shown { trial, observed, ..shown });
    }
    Some(shown)
}

/// What another JVM does not show again is no difference of the versions.
fn doubt_chance(shown: &mut [Option<Shown>], observe: &mut dyn Observe) {
    for _ in 0..MORE_JVMS {
        let mut different: Vec<&mut Shown> =
            shown.iter_mut().flatten().filter(|shown| shown.observed.differs()).collect();
        let trials: Vec<Trial> = different.iter().map(|shown| shown.trial.clone()).collect();
        for (shown, again) in different.iter_mut().zip(observe.observe_elsewhere(&trials)) {
            if again != shown.observed {
                shown.observed = Observed::ByChance;
            }
        }
    }
}

fn settle_one(
    new: &Program,
    rule: &'static Rule,
    examined: &Examined,
    shown: Option<Shown>,
) -> Settled {
    let (verdict, trial) = match shown {
        Some(Shown { observed: Observed::ByChance, .. }) => {
            let detail = "what it does differs from one JVM to the next, in either version";
            (Verdict::Unknown(vec![Gap::new(GapKind::NotReplayed, detail)]), None)
        }
        Some(Shown { trial, is_open, observed }) => {
            (judge(new, &trial, is_open, &observed, examined), Some(trial))
        }
        None => {
            let verdict = match &examined.proof {
                Proof::Holds(scope) => Verdict::Holds(scope.clone()),
                Proof::Open(gaps) => Verdict::Unknown(gaps.clone()),
                Proof::NotAsked => Verdict::Unknown(Vec::new()),
            };
            (verdict, None)
        }
    };
    let name = method_text(new, &examined.pair);
    let message = match &verdict {
        Verdict::Violated(_) => sentence(&format!("{name} does not do what it did.")),
        Verdict::Possible(..) => sentence(&format!("{name} may not do what it did.")),
        Verdict::Holds(_) => sentence(&format!("{name} does what it did.")),
        Verdict::Unknown(_) => format!("Whether {name} does what it did is not known."),
    };
    Settled { finding: Finding::new(rule, verdict, subject(new, &examined.pair), message), trial }
}

/// Two looks at each call in classes of their own: what differs by chance is not seen twice.
fn observe_twice(trials: &[Trial], observe: &mut dyn Observe) -> Vec<Observed> {
    let first = observe.observe(trials);
    let second = observe.observe(trials);
    let both = first.into_iter().zip(second);
    both.map(|(one, two)| {
        if one == two { one } else { Observed::Failed("it does not do the same twice".to_owned()) }
    })
    .collect()
}

/// Calls that our own machine could not follow, or saw no difference in.
fn try_untold(trials: &[Trial], observe: &mut dyn Observe) -> Option<(Trial, Observed)> {
    let seen = observe.observe_row(trials);
    let different = trials.iter().zip(&seen).filter(|(_, seen)| seen.differs());
    let mut again: Vec<Trial> = different.map(|(trial, _)| trial.clone()).collect();
    again.sort_by_key(Trial::oddness);
    // What earlier calls of the row left in static fields shows in short ones that do nothing about it.
    let n_longer = again.len().saturating_sub(ASKED_AT_ONCE);
    let step = n_longer.div_ceil(ASKED_AT_ONCE * MOST_ROUNDS_AGAIN).max(1);
    let (first, longer) = again.split_at(again.len() - n_longer);
    let mut asked: Vec<&Trial> = first.iter().collect();
    asked.extend(longer.iter().step_by(step));
    asked.chunks(ASKED_AT_ONCE).find_map(|some| {
        let some: Vec<Trial> = some.iter().map(|&trial| trial.clone()).collect();
        let confirmed = observe_twice(&some, observe);
        let different = some.into_iter().zip(confirmed).filter(|(_, observed)| observed.differs());
        different.into_iter().find_map(|(trial, observed)| blame(trial, observed, observe))
    })
}

/// The trial, if what differs is the doing of the call: where it shows without the call as well, what is
/// asked afterwards differs by itself, and the call must show something without it.
fn blame(trial: Trial, observed: Observed, observe: &mut dyn Observe) -> Option<(Trial, Observed)> {
    let is_alone = trial.then.is_empty() && trial.watched.probes.is_empty();
    if is_alone || trial.kind == CallKind::Constructor {
        return Some((trial, observed));
    }
    let is_other = |further: &Further| match &further.what {
        Then::Call { method, .. } => *method != trial.method,
        Then::Alter(_) | Then::AlterReturned(_) => true,
    };
    let then = trial.then.iter().filter(|it| is_other(it)).cloned().collect();
    let idle = Trial { is_idle: true, then, ..trial.clone() };
    if !observe.observe(&[idle]).iter().any(Observed::differs) {
        return Some((trial, observed));
    }
    let statics = trial.watched.statics.clone();
    let watched = Arc::new(Watched { statics, probes: Vec::new() });
    let alone = Trial { then: Vec::new(), watched, ..trial };
    let observed = observe_twice(std::slice::from_ref(&alone), observe).pop()?;
    observed.differs().then_some((alone, observed))
}

/// The same difference with less around it.
fn reduce(found: (Trial, Observed), observe: &mut dyn Observe) -> (Trial, Observed) {
    let mut least = found.0.clone();
    for _ in 0..MOST_ROUNDS {
        let variants = shorter(&least);
        if variants.is_empty() {
            break;
        }
        let seen = observe.observe_row(&variants);
        let different = variants.into_iter().zip(seen).filter(|(_, seen)| seen.differs());
        match different.map(|(trial, _)| trial).min_by_key(Trial::oddness) {
            Some(trial) => least = trial,
            None => break,
        }
    }
    let confirmed = observe_twice(std::slice::from_ref(&least), observe).pop();
    match confirmed {
        Some(observed) if observed.differs() => blame(least, observed, observe).unwrap_or(found),
        Some(_) | None => found,
    }
}

fn judge(
    program: &Program,
    trial: &Trial,
    is_open: bool,
    observed: &Observed,
    examined: &Examined,
) -> Verdict {
    let (replay, lines) = match observed {
        Observed::Seen(old, new) if old != new => {
            let (_, steps) = scene(program, trial);
            let (one, two) = (shown(old, new, &steps), shown(new, old, &steps));
            (Replay::Reproduced, vec![format!("old: {one}"), format!("new: {two}")])
        }
        Observed::Seen(..) if is_open => (Replay::Refuted, Vec::new()),
        Observed::Seen(..) | Observed::Failed(_) | Observed::ByChance => {
            (Replay::Inconclusive, Vec::new())
        }
        Observed::NotRun => (Replay::NotRun, Vec::new()),
    };
    if !is_open && replay != Replay::Reproduced {
        // What only the class itself sees may never come out: fields that change their roles show nothing.
        let gap = match &examined.proof {
            Proof::Holds(_) => {
                let detail = "a run of both versions contradicts the proof; please report";
                Gap::new(GapKind::Internal, detail)
            }
            Proof::Open(_) | Proof::NotAsked => {
                let detail = "only private state differs, and no call was found that shows it";
                Gap::new(GapKind::NotReplayed, detail)
            }
        };
        return Verdict::Unknown(vec![gap]);
    }
    let mut gaps = Vec::new();
    let mut evidence = evidence(program, trial, replay, lines);
    if trial.method.access == Access::Closed {
        // Where it does the same for other arguments, its class may never pass those that show it.
        if examined.agrees || examined.candidates.is_empty() {
            let calls: Vec<&str> = evidence.witness.lines().map(str::trim).collect();
            let detail = format!(
                "it does something else in `{}`, but only code of its class calls it, and whether \
                 that ever does so is open",
                calls.join(" ")
            );
            return Verdict::Unknown(vec![Gap::new(GapKind::Forced, detail)]);
        }
        evidence.construction = Construction::Forced;
        gaps.push(Gap::new(GapKind::Forced, "only code of the class itself can make this call"));
    }
    Verdict::from_evidence(evidence, gaps)
}

fn evidence(program: &Program, trial: &Trial, replay: Replay, observed: Vec<String>) -> Evidence {
    let (witness, _) = scene(program, trial);
    Evidence {
        construction: match trial.construction().max(trial.method.access.min(Access::Package)) {
            Access::Public => Construction::Public,
            Access::Package => Construction::Package,
            Access::Closed => Construction::Forced,
        },
        replay,
        needs: trial
            .witness
            .objects
            .iter()
            .flat_map(|recipe| crate::witness::needs(recipe))
            .collect(),
        witness,
        observed,
        drawing: draw(program, trial),
    }
}

/// Begins with a capital unless it begins with a name.
fn sentence(text: &str) -> String {
    match text.strip_prefix("the ") {
        Some(rest) => format!("The {rest}"),
        None => text.to_owned(),
    }
}

fn method_text(program: &Program, pair: &MethodPair) -> String {
    let (class, declared) = program.method(pair.new);
    let class_text = program.class_text(class.name);
    let simple = simple_name(&class_text);
    match &*program.names.text(declared.name) {
        "<init>" => format!("the constructor of {simple}"),
        "<clinit>" => format!("the initialiser of {simple}"),
        name => format!("{simple}.{name}"),
    }
}

/// What a class is called in its package, without the classes around it; a number is no name.
pub fn simple_name(class: &str) -> &str {
    let in_package = class.rsplit('.').next().unwrap_or_default();
    let simple = in_package.rsplit('$').next().unwrap_or_default();
    if simple.starts_with(|c: char| c.is_ascii_digit()) { in_package } else { simple }
}

fn subject(program: &Program, pair: &MethodPair) -> Subject {
    let (class, declared) = program.method(pair.new);
    debug_assert_eq!(program.role(class.id), Role::Judged);
    let names = &program.names;
    let line = program.lines(pair.new).first().map(u32::from);
    Subject {
        class: Some(program.class_text(class.name)),
        method: Some(format!("{}{}", names.text(declared.name), names.text(declared.descriptor))),
        file: class
            .file
            .source_file()
            .ok()
            .flatten()
            .map(|utf8| classfile::mutf8::decode_lossy(class.file.bytes(utf8)).into_owned()),
        line,
    }
}
