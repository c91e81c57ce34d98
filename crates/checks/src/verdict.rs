//! The four answers Jury gives, and what each of them must bring along.
//!
//! This is not where a question is decided: engines decide and hand in what they have. It is where
//! the discipline is kept that an answer never claims more than was shown.
//!
//! Invariants:
//! - [`Verdict::Violated`] holds a [`Reproduced`], and the only way to one is evidence that a JVM
//!   reproduced on objects a caller could build. [`Verdict::from_evidence`] degrades everything else.
//! - What the JVM contradicted is never `possible`: it is `unknown`, with the candidate kept for show.

use std::collections::BTreeSet;
use std::ops::Deref;

/// The answer to one question: does this rule hold for this subject?
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Proved, within the scope.
    Holds(Scope),
    /// Shown on a JVM: real calls, real objects, the wrong answer.
    Violated(Reproduced),
    /// A concrete candidate that rests on something unshown, and on what.
    Possible(Evidence, Vec<Gap>),
    /// Not decided, and why.
    Unknown(Vec<Gap>),
}

impl Verdict {
    /// The strongest verdict that `evidence` earns: violated if a JVM reproduced it on objects that a
    /// caller can build, unknown if the JVM contradicted it, possible otherwise. `gaps` are the
    /// imprecisions that the candidate depends on; a reproduction outweighs them.
    pub fn from_evidence(evidence: Evidence, gaps: Vec<Gap>) -> Verdict {
        if evidence.replay == Replay::Refuted {
            return Verdict::Unknown([vec![Gap::refuted(evidence)], gaps].concat());
        }
        match Reproduced::try_from(evidence) {
            Ok(reproduced) => Verdict::Violated(reproduced),
            Err((evidence, missing)) => Verdict::Possible(evidence, [missing, gaps].concat()),
        }
    }

    /// The candidate behind the verdict; for an unknown one, the candidate that the JVM contradicted.
    pub fn evidence(&self) -> Option<&Evidence> {
        match self {
            Verdict::Holds(_) => None,
            Verdict::Violated(reproduced) => Some(reproduced),
            Verdict::Possible(evidence, _) => Some(evidence),
            Verdict::Unknown(gaps) => gaps.iter().find_map(|gap| gap.candidate.as_deref()),
        }
    }

    /// Why the verdict is no stronger; empty where nothing is missing.
    pub fn gaps(&self) -> &[Gap] {
        match self {
            Verdict::Holds(_) | Verdict::Violated(_) => &[],
            Verdict::Possible(_, gaps) | Verdict::Unknown(gaps) => gaps,
        }
    }

    /// How far a proof reaches; `None` where nothing was proved.
    pub fn scope(&self) -> Option<&Scope> {
        match self {
            Verdict::Holds(scope) => Some(scope),
            Verdict::Violated(_) | Verdict::Possible(..) | Verdict::Unknown(_) => None,
        }
    }

    /// The word for this verdict in every report.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Holds(_) => "holds",
            Verdict::Violated(_) => "violated",
            Verdict::Possible(..) => "possible",
            Verdict::Unknown(_) => "unknown",
        }
    }

    /// Whether a JVM contradicted a candidate: a defect of Jury that reports count and show.
    pub fn is_refuted(&self) -> bool {
        self.gaps().iter().any(|gap| gap.kind == GapKind::Refuted)
    }
}

/// What a proof covers. No bound means all inputs; the assumptions hold in either case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// The number of loop iterations or nested calls up to which it is proved.
    pub bound: Option<u32>,
    /// What was taken for granted, each a clause that reads well after "assuming that".
    pub assumptions: Vec<String>,
    /// Both versions have the same code and call only the same code: nothing had to be proved.
    pub same_code: bool,
}

/// A concrete candidate: objects, calls, and the answers they give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    pub construction: Construction,
    pub replay: Replay,
    /// Unusual values without which it does not show.
    pub needs: BTreeSet<Need>,
    /// Java source that builds the objects and makes the calls.
    pub witness: String,
    /// What was seen, one line each: `x.equals(y) = true`.
    pub observed: Vec<String>,
    /// The objects as a small drawing, where their shape is the point.
    pub drawing: Option<String>,
}

/// Who could build the objects of a witness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Construction {
    /// Any caller: public constructors, factories, setters and fields.
    Public,
    /// Code in the same package.
    Package,
    /// Nobody: private state was set by force.
    Forced,
}

/// What a JVM said about a witness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replay {
    Reproduced,
    /// The JVM gave the right answer: our candidate was wrong.
    Refuted,
    /// It ran and settled nothing: not hanging refutes no deadlock.
    Inconclusive,
    NotRun,
}

/// Unusual values. Hundreds of real classes break on one of these, and people want to see the
/// ordinary violations first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    Nan,
    NegativeZero,
    Null,
    Extreme,
    /// An array in a field that code outside replaces: that breaks any class that keeps its data there.
    FieldWrite,
}

/// Evidence that a JVM reproduced, on objects that a caller can build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reproduced(Evidence);

impl TryFrom<Evidence> for Reproduced {
    /// The evidence back, and what it lacks.
    type Error = (Evidence, Vec<Gap>);

    fn try_from(evidence: Evidence) -> Result<Self, Self::Error> {
        let missing = missing(&evidence);
        if missing.is_empty() { Ok(Reproduced(evidence)) } else { Err((evidence, missing)) }
    }
}

impl Deref for Reproduced {
    type Target = Evidence;

    fn deref(&self) -> &Evidence {
        &self.0
    }
}

fn missing(evidence: &Evidence) -> Vec<Gap> {
    let forced = match evidence.construction {
        Construction::Public | Construction::Package => None,
        Construction::Forced => Some(Gap::new(
            GapKind::Forced,
            "private state was set by force, and no calls were found that lead to it",
        )),
    };
    let unseen = match evidence.replay {
        Replay::Reproduced => None,
        Replay::NotRun => Some((GapKind::NotReplayed, "the witness was not run on a JVM")),
        Replay::Inconclusive => Some((
            GapKind::NotReplayed,
            "the witness ran on a JVM without showing it, which settles nothing",
        )),
        Replay::Refuted => Some((GapKind::Refuted, "a JVM contradicted the witness")),
    };
    forced.into_iter().chain(unseen.map(|(kind, detail)| Gap::new(kind, detail))).collect()
}

/// One reason why a verdict is no stronger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    pub kind: GapKind,
    /// What was met, where: a clause that reads well after "because".
    pub detail: String,
    candidate: Option<Box<Evidence>>,
}

impl Gap {
    pub fn new(kind: GapKind, detail: impl Into<String>) -> Gap {
        Gap { kind, detail: detail.into(), candidate: None }
    }

    /// A JVM contradicted `candidate`, which is kept so that the report can show our mistake.
    pub fn refuted(candidate: Evidence) -> Gap {
        Gap {
            kind: GapKind::Refuted,
            detail: "a JVM contradicted the witness, which is a defect of Jury".to_owned(),
            candidate: Some(Box::new(candidate)),
        }
    }
}

/// The kinds of reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GapKind {
    /// Code that the engine cannot follow: native, reflection, an unmodelled call.
    Unsupported,
    /// A limit on work was reached.
    Budget,
    /// The candidate depends on a value that was over-approximated.
    Approximation,
    /// The solver gave up, died, or answered nonsense.
    Solver,
    /// Private state had to be set by force.
    Forced,
    /// No JVM has shown it.
    NotReplayed,
    /// A JVM contradicted it.
    Refuted,
    /// Something inside Jury failed.
    Internal,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(construction: Construction, replay: Replay) -> Evidence {
        Evidence {
            construction,
            replay,
            needs: BTreeSet::new(),
            witness: "new C().equals(null);".to_owned(),
            observed: Vec::new(),
            drawing: None,
        }
    }

    #[test]
    fn only_a_reproduction_on_objects_a_caller_can_build_is_a_violation() {
        for construction in [Construction::Public, Construction::Package, Construction::Forced] {
            for replay in
                [Replay::Reproduced, Replay::Refuted, Replay::Inconclusive, Replay::NotRun]
            {
                let verdict = Verdict::from_evidence(evidence(construction, replay), Vec::new());
                let earned = replay == Replay::Reproduced && construction != Construction::Forced;
                assert_eq!(verdict.word() == "violated", earned, "{construction:?} {replay:?}");
                assert_eq!(verdict.gaps().is_empty(), earned, "{construction:?} {replay:?}");
            }
        }
    }

    #[test]
    fn each_shortfall_is_named() {
        let kind = |construction, replay| {
            Verdict::from_evidence(evidence(construction, replay), Vec::new()).gaps()[0].kind
        };
        assert_eq!(kind(Construction::Forced, Replay::Reproduced), GapKind::Forced);
        assert_eq!(kind(Construction::Public, Replay::NotRun), GapKind::NotReplayed);
        assert_eq!(kind(Construction::Public, Replay::Inconclusive), GapKind::NotReplayed);
        assert_eq!(kind(Construction::Public, Replay::Refuted), GapKind::Refuted);
        let both =
            Verdict::from_evidence(evidence(Construction::Forced, Replay::NotRun), Vec::new());
        assert_eq!(both.gaps().len(), 2);
    }

    #[test]
    fn a_refuted_candidate_is_unknown_and_still_shown() {
        let candidate = evidence(Construction::Public, Replay::Refuted);
        let verdict =
            Verdict::from_evidence(candidate.clone(), vec![Gap::new(GapKind::Budget, "depth 8")]);
        assert_eq!(verdict.word(), "unknown");
        assert!(verdict.is_refuted());
        assert_eq!(verdict.evidence(), Some(&candidate));
        assert_eq!(verdict.gaps().len(), 2);
    }

    #[test]
    fn a_reproduction_outweighs_the_gaps_of_its_search() {
        let gap = Gap::new(GapKind::Approximation, "native p.C.f()");
        let verdict =
            Verdict::from_evidence(evidence(Construction::Package, Replay::Reproduced), vec![gap]);
        assert_eq!(verdict.word(), "violated");
    }
}
