//! The same call on equal objects in both versions, in the concrete machine.
//!
//! Inputs are built through members that a caller may use, with constants of the code, boundary values
//! and shared objects among them. A difference is a candidate for two JVMs; no difference proves
//! nothing.

use std::sync::Arc;

use program::{Class, Element, MethodDescriptor, MethodId, Primitive, Program, Type, World};
use rustc_hash::FxHashMap;
use smt::Solver;
use symex::concrete::{Budget, Machine, Outcome, Stop, Value};
use symex::symbolic::Plain;

use super::choices::{combinations, with_large};
use super::initialiser::compare_initialisers;
use super::inputs::Mentioned;
use super::matching::MethodPair;
use super::proof::{Edited, Proof, prove};
use super::renumbered::is_local;
use super::snapshot::{Snapshot, snapshot};
use super::story::{Cast, Further, On, Then};
use super::stubs::has_stub;
use super::watch::{Unseen, Watched, shows_same, watched};
use crate::verdict::Gap;
use crate::witness::access::member_access;
use crate::witness::supply::{
    Harvest, Index, Supply, View, Want, is_inner, member, method_signature,
};
use crate::witness::{Access, Built, Effect, Literal, Member, Recipe, Witness, follow};

/// The receiver and the arguments; other objects are called a, b, c.
const NAMES: [&str; 9] = ["x", "p", "q", "r", "s", "t", "u", "v", "w"];
/// Calls from a solver's model that a JVM tries; the rest are like them.
const SUGGESTED: usize = 20;
/// Calls that a JVM tries of each pair, where there are many pairs.
const MANY_TRIALS: usize = 120;
/// Differences among which the most ordinary is chosen.
const ENOUGH: usize = 12;

/// Calls of so many instructions before the limit falls, and to what: extreme numbers make loops long.
const LONG_CALLS: usize = 2;
const LONG: u64 = 200_000;
const SHORT: u64 = 20_000;

/// What one call may take.
pub(super) const BUDGET: Budget =
    Budget { instructions: 400_000, heap_bytes: 64 << 20, depth: 300 };

/// A call with its inputs.
#[derive(Debug, Clone)]
pub struct Trial {
    /// The receiver, if there is one, and the arguments; nothing is asked of them.
    pub witness: Witness,
    pub method: Member,
    pub kind: CallKind,
    /// What is done after the call.
    pub then: Vec<Further>,
    /// What the first call of a stub does while the call lasts.
    pub meanwhile: Vec<Further>,
    /// Whether the call itself is left out: what shows all the same is not its doing.
    pub is_idle: bool,
    pub watched: Arc<Watched>,
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
    /// Calls that may show a difference on a JVM, where nothing else did and there is no full proof.
    pub untold: Vec<Trial>,
    /// The same for a proof that may be taken back.
    pub in_doubt: Vec<Trial>,
    /// Whether some call ended well and gave the same in both versions.
    pub agrees: bool,
    pub proof: Proof,
}

/// What is done about a pair.
pub enum Effort<'s> {
    /// Trials, and a proof if they show nothing.
    Full(&'s mut Solver),
    /// Trials alone, and why there is no proof.
    TrialsOnly(Gap),
}

/// Judges one pair.
pub fn examine(
    (old, index): (&Program, &Index),
    (new, new_world): (&Program, &World),
    edited: &Edited,
    pair: &MethodPair,
    effort: Effort<'_>,
) -> Examined {
    let mut examined = Examined {
        pair: pair.clone(),
        candidates: Vec::new(),
        untold: Vec::new(),
        in_doubt: Vec::new(),
        agrees: false,
        proof: Proof::NotAsked,
    };
    if new.method(pair.new).1.name == new.known.clinit {
        examined.proof = match effort {
            Effort::Full(_) => compare_initialisers(old, new, pair, edited),
            Effort::TrialsOnly(gap) => Proof::Open(vec![gap]),
        };
        return examined;
    }
    let (mut before, mut after) = (Machine::new(old, BUDGET), Machine::new(new, BUDGET));
    let mut plan = Plan::new((old, index), new, edited, pair);
    if let Some(plan) = &mut plan {
        plan.stock(&mut before);
        let calls = plan.calls();
        (examined.candidates, examined.agrees) = plan.tell_apart(&mut before, &mut after, calls);
    }
    if examined.candidates.iter().any(|&(_, is_open)| is_open) {
        return examined;
    }
    let is_full = matches!(effort, Effort::Full(_));
    let (proof, suggestion) = match effort {
        Effort::Full(solver) => prove((old, index.world()), (new, new_world), edited, pair, solver),
        Effort::TrialsOnly(gap) => (Proof::Open(vec![gap]), None),
    };
    if let Some(plan) = &plan {
        let calls = suggestion.map_or_else(Vec::new, |suggestion| plan.suggested(&suggestion));
        let (found, _) = plan.tell_apart(&mut before, &mut after, calls.clone());
        if !found.is_empty() {
            examined.candidates = found;
        }
        let is_proved = matches!(&proof, Proof::Holds(scope) if scope.bound.is_none());
        let is_sure = is_proved && !proof.rests_on_outside();
        let is_shown = examined.candidates.iter().any(|&(_, is_open)| is_open);
        if is_full && !is_sure && !is_shown && !edited.unshared {
            let all = calls.into_iter().take(SUGGESTED).chain(plan.calls());
            let all = all.chain(plan.large());
            let mut trials: Vec<Trial> =
                all.map(|objects| plan.trial(objects)).chain(plan.stories()).collect();
            // Extreme numbers make loops long.
            trials.sort_by_key(|trial| trial.oddness().0);
            let trials = if edited.is_many { thinned(trials) } else { trials };
            *(if is_proved { &mut examined.in_doubt } else { &mut examined.untold }) = trials;
        }
    }
    examined.proof = proof;
    examined
}

/// The most ordinary half of what is tried of a pair where there are many pairs, and of the rest some.
fn thinned(trials: Vec<Trial>) -> Vec<Trial> {
    let n_rest = trials.len().saturating_sub(MANY_TRIALS / 2);
    let step = n_rest.div_ceil(MANY_TRIALS / 2).max(1);
    let is_kept = |at: usize| at < MANY_TRIALS / 2 || (at - MANY_TRIALS / 2).is_multiple_of(step);
    trials.into_iter().enumerate().filter(|(at, _)| is_kept(*at)).map(|(_, trial)| trial).collect()
}

/// Who can see that two versions differ in a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    Openly,
    Privately,
    Same,
}

/// What to call, and with what.
pub(super) struct Plan<'p> {
    pub(super) program: &'p Program,
    pub(super) new: &'p Program,
    pub(super) method: Member,
    pub(super) kind: CallKind,
    pub(super) types: Vec<Type>,
    pub(super) result: Option<Type>,
    pub(super) supply: Supply<'p>,
    pub(super) wants: Vec<Want>,
    /// What may be passed, by position.
    pub(super) values: Vec<Vec<Arc<Recipe>>>,
    pub(super) mentioned: Mentioned,
    pub(super) cast: Option<Cast>,
    pub(super) watched: Arc<Watched>,
    pub(super) edited: &'p Edited,
    /// Objects of a model that have been given a name.
    pub(super) named: std::cell::RefCell<FxHashMap<u64, Arc<Recipe>>>,
}

impl<'p> Plan<'p> {
    fn new(
        (program, index): (&'p Program, &'p Index),
        new: &'p Program,
        edited: &'p Edited,
        pair: &MethodPair,
    ) -> Option<Plan<'p>> {
        let (class, declared) = program.method(pair.old);
        let flags = declared.access_flags;
        // A method that became static, or is no more, is called in another way.
        let is_alike = new.method(pair.new).1.access_flags.is_static() == flags.is_static();
        let is_init = declared.name == program.known.init;
        if flags.is_abstract() || !is_alike || is_apart(program, class, is_init, edited) {
            return None;
        }
        let descriptor = MethodDescriptor::parse(program.names.bytes(declared.descriptor))?;
        let mut types = descriptor.parameter_types(&program.names);
        let mut wants = wants(program, new, pair, &types);
        let kind = if is_init {
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
        let harvest = Harvest::of(program, class, &[pair.old]);
        let package = program.package(class.name).to_vec();
        let view = View { program, index, package, harvest };
        Some(Plan {
            program,
            new,
            method: member(program, class, declared.name, declared.descriptor, access),
            kind,
            types,
            result: descriptor.result_type(&program.names),
            supply: Supply::new(view, 10_000_000),
            wants,
            values: Vec::new(),
            mentioned: Mentioned::in_versions(
                [(program, pair.old), (new, pair.new)],
                index.world(),
            ),
            cast: None,
            watched: Arc::new(watched(program, new, edited, pair)),
            edited,
            named: std::cell::RefCell::default(),
        })
    }

    fn calls(&self) -> Vec<Vec<Arc<Recipe>>> {
        combinations(&self.values, &self.types)
    }

    /// Calls with what the solver suggests, and any objects where it suggests nothing.
    fn suggested(&self, suggestion: &[Option<Plain>]) -> Vec<Vec<Arc<Recipe>>> {
        if suggestion.len() != self.types.len() {
            return Vec::new();
        }
        self.named.borrow_mut().clear();
        let values: Vec<Vec<Arc<Recipe>>> = suggestion
            .iter()
            .zip(&self.types)
            .zip(&self.values)
            .map(|((plain, &ty), stocked)| match plain.as_ref().and_then(|p| self.recipe(p, ty)) {
                Some(recipe) => vec![Arc::new(recipe)],
                None => stocked.clone(),
            })
            .collect();
        combinations(&values, &self.types)
    }

    fn recipe(&self, plain: &Plain, ty: Type) -> Option<Recipe> {
        Some(match plain {
            Plain::Null => Recipe::Null,
            Plain::Text(units) => Recipe::Text(units.as_slice().into()),
            Plain::Array(items) => {
                let component = ty.component()?;
                let made = items.iter().map(|item| self.recipe(item, component).map(Arc::new));
                let items = made.collect::<Option<Vec<_>>>()?;
                Recipe::Array { component: descriptor_text(self.program, component)?, items }
            }
            Plain::Boxed(..) => return None,
            Plain::Again(number) => self.named.borrow().get(number)?.as_ref().clone(),
            Plain::Object { number, class, fields } => {
                return self.object(*number, *class, fields);
            }
            Plain::Int(_) | Plain::Long(_) | Plain::Float(_) | Plain::Double(_) => {
                Recipe::Literal(literal(plain, ty)?)
            }
        })
    }

    /// An object as a model has it: made in the simplest way, then its fields set, as far as a caller
    /// can. Objects have names, so that they may refer to each other.
    fn object(
        &self,
        number: u64,
        class: program::ClassId,
        fields: &[(program::FieldId, Plain)],
    ) -> Option<Recipe> {
        let class = self.program.class(class)?;
        let made = self.simplest(class)?;
        let made = Arc::new(Recipe::Shared(2_000_000 + number as u32, made));
        self.named.borrow_mut().insert(number, made.clone());
        let mut effects = Vec::new();
        for (field, plain) in fields {
            let (declaring, declared) = self.program.field(*field);
            let access = member_access(self.program, declaring, declared.access_flags);
            if access == Access::Closed || declared.access_flags.is_final() {
                continue;
            }
            let ty =
                Type::parse(self.program.names.bytes(declared.descriptor), &self.program.names);
            let Some(value) = ty.and_then(|ty| self.recipe(plain, ty)) else { continue };
            let member =
                member(self.program, declaring, declared.name, declared.descriptor, access);
            effects.push(Effect::Put { field: member, value: Arc::new(value) });
        }
        Some(Recipe::After { object: made, effects })
    }

    /// A call of the constructor with the fewest parameters, with nothing in them.
    fn simplest(&self, class: &program::Class) -> Option<Arc<Recipe>> {
        let program = self.program;
        if class.access_flags.is_abstract() || class.is_interface() {
            return None;
        }
        let constructors = class.methods().filter_map(|(_, method)| {
            let access = member_access(program, class, method.access_flags);
            let is_usable = method.name == program.known.init && access != Access::Closed;
            let descriptor = MethodDescriptor::parse(program.names.bytes(method.descriptor))?;
            is_usable.then(|| (method, access, descriptor.parameter_types(&program.names)))
        });
        let (method, access, types) = constructors.min_by_key(|(_, _, types)| types.len())?;
        let mut arguments: Vec<Arc<Recipe>> =
            types.iter().map(|&ty| Arc::new(nothing(ty))).collect();
        // Source cannot make an inner object of nothing.
        if is_inner(program, class) {
            let Type { element: Element::Class(around), dimensions: 0 } = *types.first()? else {
                return None;
            };
            arguments[0] = self.simplest(program.class(program.find_class(around)?)?)?;
        }
        let constructor = member(program, class, method.name, method.descriptor, access);
        Some(Arc::new(Recipe::New { constructor, arguments }))
    }

    /// Calls that gave different things, the most ordinary first, and whether some ended
    /// well in both versions and gave the same.
    fn tell_apart(
        &self,
        before: &mut Machine<'p>,
        after: &mut Machine<'_>,
        calls: Vec<Vec<Arc<Recipe>>>,
    ) -> (Vec<(Trial, bool)>, bool) {
        let mut found: Vec<(Trial, bool)> = Vec::new();
        let mut agrees = false;
        let (mut n_open, mut n_false, mut n_long) = (0, 0, 0);
        before.limit(BUDGET.instructions);
        after.limit(BUDGET.instructions);
        for objects in calls {
            // What a stub does is seen on a JVM only.
            if objects.iter().any(|recipe| has_stub(recipe)) {
                continue;
            }
            let trial = self.trial(objects);
            let compared = self.compare(before, after, &trial);
            n_long += usize::from(before.spent().max(after.spent()) >= LONG);
            if n_long == LONG_CALLS {
                before.limit(SHORT);
                after.limit(SHORT);
            }
            let Some((seen, is_thrown)) = compared else { continue };
            agrees |= seen != Seen::Openly && !is_thrown;
            if seen == Seen::Same || seen == Seen::Privately && !found.is_empty() {
                continue;
            }
            // What earlier calls left in static fields may be what differs, and a call that could not
            // be followed to its end may have left them in any state.
            let mut fresh =
                (Machine::new(before.program, BUDGET), Machine::new(after.program, BUDGET));
            // What only shows while nobody asserts anything does not show on the JVMs, which do.
            (fresh.0.asserts, fresh.1.asserts) = (true, true);
            let again = self.compare(&mut fresh.0, &mut fresh.1, &trial);
            if again.map(|(seen, _)| seen) != Some(seen) {
                n_false += 1;
                if n_false >= ENOUGH {
                    break;
                }
                continue;
            }
            found.push((trial, seen == Seen::Openly));
            n_open += usize::from(seen == Seen::Openly);
            if n_open >= ENOUGH {
                break;
            }
        }
        found.sort_by_key(|(trial, is_open)| (!is_open, trial.oddness()));
        (found, agrees)
    }

    /// What a call shows in two machines, if both can follow it, and whether the old one throws.
    fn compare(
        &self,
        before: &mut Machine<'_>,
        after: &mut Machine<'_>,
        trial: &Trial,
    ) -> Option<(Seen, bool)> {
        let (of_old, of_new) = &self.edited.unseen;
        let (one_given, one) = run(before, trial, &self.types, self.result, of_old).ok()?;
        let (two_given, two) = run(after, trial, &self.types, self.result, of_new).ok()?;
        // Constructors that differ say nothing of this method, unless the fields are others.
        if one_given != two_given && !self.edited.shows_reshaped(&one_given) {
            return None;
        }
        // In that text, an object that came up before is a number.
        if self.edited.unshared && one_given.contains('#') {
            return None;
        }
        let seen = if !shows_same(&one.open, &two.open) {
            Seen::Openly
        } else if !shows_same(&one.whole, &two.whole) && !self.edited.shows_reshaped(&one.whole) {
            Seen::Privately
        } else {
            Seen::Same
        };
        Some((seen, one.open.starts_with("throws ")))
    }

    fn trial(&self, objects: Vec<Arc<Recipe>>) -> Trial {
        let skipped = usize::from(self.kind != CallKind::Instance);
        let names = NAMES[skipped..].iter().copied().take(self.types.len()).collect();
        let witness = Witness { names, objects, steps: Vec::new() };
        Trial {
            witness,
            method: self.method.clone(),
            kind: self.kind,
            then: Vec::new(),
            meanwhile: Vec::new(),
            is_idle: false,
            watched: self.watched.clone(),
        }
    }

    /// Calls with more than our own machine has time for.
    fn large(&self) -> Vec<Vec<Arc<Recipe>>> {
        let large: Vec<Vec<Arc<Recipe>>> =
            self.wants.iter().map(|want| self.mentioned.large(self.program, want)).collect();
        with_large(&self.values, &large)
    }

    /// Trials of more than one call, for a JVM.
    fn stories(&self) -> Vec<Trial> {
        let Some(cast) = &self.cast else { return Vec::new() };
        cast.stories(&self.trial(Vec::new()), &self.wants, &self.values)
    }
}

impl Trial {
    /// How far it is from what people would write: what it needs, then how long it is.
    pub(super) fn oddness(&self) -> (usize, usize) {
        let objects = &self.witness.objects;
        let n_needs = objects.iter().flat_map(|recipe| crate::witness::needs(recipe)).count();
        let further = self.then.iter().chain(&self.meanwhile);
        let arguments = further.clone().flat_map(|further| match &further.what {
            Then::Call { arguments, .. } => &arguments[..],
            Then::Alter(_) | Then::AlterReturned(_) => &[],
        });
        let n_then: usize = further.map(|further| 5 + further.times as usize / 100).sum();
        let size: usize = objects.iter().chain(arguments).map(|recipe| recipe.size()).sum();
        (n_needs, size + n_then)
    }

    /// Whether something is called on what the call returns.
    pub(super) fn calls_returned(&self) -> bool {
        let is_on_it = |it: &Further| {
            matches!(it.what, Then::Call { on: On::Returned, .. } | Then::AlterReturned(_))
        };
        self.then.iter().any(is_on_it)
    }

    /// Who can do what the trial does, apart from the call that is judged.
    pub(super) fn construction(&self) -> Access {
        let further = self.then.iter().chain(&self.meanwhile).flat_map(|it| match &it.what {
            Then::Call { method, arguments, .. } if *method != self.method => {
                let made = arguments.iter().map(|recipe| recipe.access()).max();
                Some(made.map_or(method.access, |access| access.max(method.access)))
            }
            Then::Call { .. } | Then::Alter(_) | Then::AlterReturned(_) => None,
        });
        further.fold(self.witness.access(), Access::max)
    }
}

/// What a local or anonymous class is made with is the affair of the code around it, and a JVM knows it by its own
/// number.
fn is_apart(program: &Program, class: &Class, is_init: bool, edited: &Edited) -> bool {
    is_init && is_local(program, class) || edited.numbered.contains(&class.id)
}

/// What the parameters take in both versions. What one of them forbids by its type arguments nobody passes:
/// without them, collections are empty.
fn wants(program: &Program, new: &Program, pair: &MethodPair, types: &[Type]) -> Vec<Want> {
    let (class, declared) = program.method(pair.old);
    let one = method_signature(class, pair.old.index()).map(|it| it.parameters);
    let two = method_signature(new.method(pair.new).0, pair.new.index()).map(|it| it.parameters);
    if one == two {
        return Want::parameters(program, class, declared, pair.old.index());
    }
    types.iter().map(|&ty| Want::from_type(program, ty)).collect()
}

/// Makes the call on objects of its own: what went in, and what came of it.
pub(super) fn run(
    machine: &mut Machine<'_>,
    trial: &Trial,
    types: &[Type],
    result: Option<Type>,
    unseen: &Unseen,
) -> Outcome<(String, Snapshot)> {
    let mut shared = Built::default();
    let mut values = Vec::with_capacity(types.len());
    for recipe in &trial.witness.objects {
        values.push(follow(machine, recipe, &mut shared)?);
    }
    let method = crate::witness::find_method(machine.program, &trial.method)?;
    let mut inputs: Vec<(Value, Type)> =
        values.iter().copied().zip(types.iter().copied()).collect();
    let given = snapshot(machine, &Ok(None), None, &inputs, unseen)?.whole;
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
    Ok((given, snapshot(machine, &outcome, result, &inputs, unseen)?))
}

/// Null or zero.
fn nothing(ty: Type) -> Recipe {
    let zero = match ty.kind() {
        program::Kind::Ref => return Recipe::Null,
        program::Kind::Int => Plain::Int(0),
        program::Kind::Long => Plain::Long(0),
        program::Kind::Float => Plain::Float(0.0),
        program::Kind::Double => Plain::Double(0.0),
    };
    literal(&zero, ty).map_or(Recipe::Null, Recipe::Literal)
}

fn literal(plain: &Plain, ty: Type) -> Option<Literal> {
    let Element::Primitive(primitive) = ty.element else { return None };
    Some(match (plain, primitive) {
        (Plain::Int(value), Primitive::Boolean) => Literal::Boolean(*value != 0),
        (Plain::Int(value), Primitive::Byte) => Literal::Byte(*value as i8),
        (Plain::Int(value), Primitive::Char) => Literal::Char(*value as u16),
        (Plain::Int(value), Primitive::Short) => Literal::Short(*value as i16),
        (Plain::Int(value), Primitive::Int) => Literal::Int(*value),
        (Plain::Long(value), Primitive::Long) => Literal::Long(*value),
        (Plain::Float(value), Primitive::Float) => Literal::float(*value),
        (Plain::Double(value), Primitive::Double) => Literal::double(*value),
        (_, _) => return None,
    })
}

/// The descriptor of a type, as recipes write it.
fn descriptor_text(program: &Program, ty: Type) -> Option<Arc<str>> {
    let element = match ty.element {
        Element::Primitive(primitive) => primitive.descriptor().to_string(),
        Element::Class(name) => format!("L{};", program.names.text(name)),
    };
    Some(format!("{}{element}", "[".repeat(usize::from(ty.dimensions))).into())
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
