//! The same call on equal objects in both versions, in the concrete machine.
//!
//! Inputs are built through members that a caller may use, with constants of the code, boundary values
//! and shared objects among them. A difference is a candidate for two JVMs; no difference proves
//! nothing.

use std::sync::Arc;

use program::{MethodDescriptor, MethodId, Program, Type};
use smt::Solver;
use symex::concrete::{Budget, Machine, Outcome, Stop, Value};

use super::matching::MethodPair;
use super::proof::{Proof, prove};
use super::snapshot::{Snapshot, snapshot};
use crate::witness::access::member_access;
use crate::witness::supply::{Harvest, Index, Supply, View, Want, member};
use crate::witness::{Access, Built, Member, Recipe, Witness, follow};

const NAMES: [&str; 9] = ["x", "a", "b", "c", "d", "e", "f", "g", "h"];
const MOST_CALLS: usize = 220;
const VALUES: usize = 16;

/// A call with its inputs.
#[derive(Debug, Clone)]
pub struct Trial {
    /// The receiver, if there is one, and the arguments; nothing is asked of them.
    pub witness: Witness,
    pub method: Member,
    pub kind: CallKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallKind {
    Static,
    Instance,
    Constructor,
}

/// A pair, and what is known of it before a JVM is asked.
pub struct Examined {
    pub pair: MethodPair,
    /// Calls that gave different things in the machine, and whether everyone can see the difference.
    pub candidates: Vec<(Trial, bool)>,
    pub proof: Proof,
}

/// Judges one pair.
pub fn examine(
    old: &Program,
    new: &Program,
    index: &Index,
    pair: &MethodPair,
    solver: &mut Solver,
) -> Examined {
    let mut examined =
        Examined { pair: pair.clone(), candidates: Vec::new(), proof: Proof::NotAsked };
    if let Some(plan) = Plan::new(old, index, pair) {
        let budget = Budget { instructions: 400_000, heap_bytes: 64 << 20, depth: 300 };
        let (mut before, mut after) = (Machine::new(old, budget), Machine::new(new, budget));
        examined.candidates = plan.tell_apart(&mut before, &mut after);
    }
    if examined.candidates.iter().any(|&(_, is_open)| is_open) {
        return examined;
    }
    examined.proof = prove(old, new, pair, solver);
    examined
}

/// What to call, and with what.
struct Plan<'p> {
    program: &'p Program,
    method: Member,
    kind: CallKind,
    types: Vec<Type>,
    result: Option<Type>,
    supply: Supply<'p>,
    wants: Vec<Want>,
}

impl<'p> Plan<'p> {
    fn new(program: &'p Program, index: &'p Index, pair: &MethodPair) -> Option<Plan<'p>> {
        let (class, declared) = program.method(pair.old);
        let flags = declared.access_flags;
        if flags.is_abstract() || declared.name == program.known.clinit {
            return None;
        }
        let descriptor = MethodDescriptor::parse(program.names.bytes(declared.descriptor))?;
        let mut types = descriptor.parameter_types(&program.names);
        let mut wants = Want::parameters(program, class, declared, pair.old.index());
        let kind = if declared.name == program.known.init {
            CallKind::Constructor
        } else if flags.is_static() {
            CallKind::Static
        } else {
            CallKind::Instance
        };
        if kind == CallKind::Constructor && class.access_flags.is_abstract() {
            return None;
        }
        if kind == CallKind::Instance {
            types.insert(0, Type::class(class.name));
            wants.insert(0, Want::class(class.name));
        }
        if types.len() != wants.len() || types.len() > NAMES.len() {
            return None;
        }
        let access = member_access(program, class, flags);
        let view = View {
            program,
            index,
            package: program.package(class.name).to_vec(),
            harvest: Harvest::of(program, class, &[pair.old]),
        };
        Some(Plan {
            program,
            method: member(program, class, declared.name, declared.descriptor, access),
            kind,
            types,
            result: descriptor.result_type(&program.names),
            supply: Supply::new(view, 10_000_000),
            wants,
        })
    }

    fn tell_apart(
        mut self,
        before: &mut Machine<'p>,
        after: &mut Machine<'_>,
    ) -> Vec<(Trial, bool)> {
        let mut values: Vec<Vec<Arc<Recipe>>> = Vec::new();
        for (at, want) in self.wants.clone().iter().enumerate() {
            let mut made: Vec<Arc<Recipe>> =
                self.supply.values(before, want, 1).iter().cloned().collect();
            let is_receiver = at == 0 && self.kind == CallKind::Instance;
            made.retain(|recipe| !is_receiver || **recipe != Recipe::Null);
            made.truncate(VALUES);
            if made.is_empty() {
                return Vec::new();
            }
            values.push(made);
        }
        let mut found: Vec<(Trial, bool)> = Vec::new();
        for objects in combinations(&values, &self.types) {
            let trial = self.trial(objects);
            let seen = (
                run(before, &trial, &self.types, self.result),
                run(after, &trial, &self.types, self.result),
            );
            let (Ok(one), Ok(two)) = seen else { continue };
            if one.open != two.open {
                found.insert(0, (trial, true));
                break;
            }
            if one.whole != two.whole && found.is_empty() {
                found.push((trial, false));
            }
        }
        found
    }

    fn trial(&self, objects: Vec<Arc<Recipe>>) -> Trial {
        let skipped = usize::from(self.kind != CallKind::Instance);
        let names = NAMES[skipped..].iter().copied().take(objects.len()).collect();
        let witness = Witness { names, objects, steps: Vec::new() };
        let _ = self.program;
        Trial { witness, method: self.method.clone(), kind: self.kind }
    }
}

impl Trial {
    /// Who can make the call.
    pub fn access(&self) -> Access {
        self.witness.access().max(self.method.access)
    }
}

/// Makes the call on objects of its own.
pub(super) fn run(
    machine: &mut Machine<'_>,
    trial: &Trial,
    types: &[Type],
    result: Option<Type>,
) -> Outcome<Snapshot> {
    let mut shared = Built::default();
    let mut values = Vec::with_capacity(types.len());
    for recipe in &trial.witness.objects {
        values.push(follow(machine, recipe, &mut shared)?);
    }
    let method = crate::witness::find_method(machine.program, &trial.method)?;
    let mut inputs: Vec<(Value, Type)> =
        values.iter().copied().zip(types.iter().copied()).collect();
    let outcome = match trial.kind {
        CallKind::Static => machine.call(method, &values),
        CallKind::Instance => call_instance(machine, method, &values),
        CallKind::Constructor => machine.construct(method, &values).map(|made| {
            let (class, _) = machine.program.method(method);
            inputs.push((Value::Ref(made), Type::class(class.name)));
            None
        }),
    };
    let outcome = match outcome {
        Ok(value) => Ok(value),
        Err(Stop::Throw(exception)) => Err(exception),
        Err(gap) => return Err(gap),
    };
    snapshot(machine, &outcome, result, &inputs)
}

fn call_instance(
    machine: &mut Machine<'_>,
    method: MethodId,
    values: &[Value],
) -> Outcome<Option<Value>> {
    if machine.program.method(method).1.access_flags.is_private() {
        return machine.call(method, values);
    }
    machine.call_virtual(method, values)
}

/// Every choice of values if there are few, else a spread of them; then the same object twice wherever
/// two inputs have one type.
fn combinations(values: &[Vec<Arc<Recipe>>], types: &[Type]) -> Vec<Vec<Arc<Recipe>>> {
    let total: usize = values
        .iter()
        .map(Vec::len)
        .try_fold(1usize, |product, n| product.checked_mul(n))
        .unwrap_or(usize::MAX);
    let pick = |mut number: usize| -> Vec<Arc<Recipe>> {
        values
            .iter()
            .map(|of_one| {
                let at = number % of_one.len();
                number /= of_one.len();
                of_one[at].clone()
            })
            .collect()
    };
    let mut found: Vec<Vec<Arc<Recipe>>> =
        if total <= MOST_CALLS { (0..total).map(pick).collect() } else { spread(values) };
    let mut aliased = Vec::new();
    for one in 0..types.len() {
        for two in one + 1..types.len() {
            if types[one] == types[two] && types[one].kind() == program::Kind::Ref {
                for recipe in values[one].iter().filter(|recipe| ***recipe != Recipe::Null).take(4)
                {
                    let mut objects = pick(0);
                    let shared = Arc::new(Recipe::Shared(1_000_000, recipe.clone()));
                    objects[one] = shared.clone();
                    objects[two] = shared;
                    aliased.push(objects);
                }
            }
        }
    }
    found.extend(aliased);
    found
}

/// A fixed pseudo-random walk through the choices.
fn spread(values: &[Vec<Arc<Recipe>>]) -> Vec<Vec<Arc<Recipe>>> {
    let mut state: u64 = 0x2545_f491_4f6c_dd1d;
    let mut next = move |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % n
    };
    (0..MOST_CALLS)
        .map(|_| values.iter().map(|of_one| of_one[next(of_one.len())].clone()).collect())
        .collect()
}
