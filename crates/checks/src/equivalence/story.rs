//! Several calls on the same objects: what a first call leaves behind may show only later.
//!
//! Before the call that is judged, unchanged methods bring the receiver into some state; after it,
//! unchanged methods and the judged one itself are called, and what was passed in is written to. What
//! differs in any of this is the doing of the judged method: all else is the same code.

use std::sync::Arc;

use program::{Class, MethodDescriptor, MethodId, Primitive, Program};
use symex::concrete::Machine;

use super::inputs::{Mentioned, copy};
use super::proof::Edited;
use super::reading::alteration;
use super::stubs::{has_stub, plain_stub};
use super::trial::{CallKind, Trial};
use crate::witness::access::member_access;
use crate::witness::supply::{Supply, Want, member, open_methods, result_of};
use crate::witness::{Access, Effect, Member, Recipe};

const MOST_METHODS: usize = 20;
const MOST_PARAMETERS: usize = 4;
/// Values of one parameter of a further call.
const CHOICES: usize = 8;
const STORIES: usize = 128;
/// Objects that may be kept, and values that everyone is then asked with.
const MOST_KEPT: usize = 3;
/// Further calls in a story that asks everyone.
const IN_A_ROW: usize = 8;
/// Stories that call what is returned.
const RETURNED: usize = 32;
/// An interface of more methods than these promises how they go together.
const MOST_OPEN: usize = 4;
/// A method that counts is called so often at most.
const MOST_TIMES: i64 = 5_000;

/// Something done after the call.
#[derive(Debug, Clone)]
pub struct Further {
    pub times: u32,
    pub what: Then,
}

#[derive(Debug, Clone)]
pub enum Then {
    /// Writes to the object of this position, which the caller still has.
    Alter(usize),
    /// Writes to what the call returned, by this statement.
    AlterReturned(&'static str),
    Call {
        on: On,
        method: Member,
        arguments: Vec<Arc<Recipe>>,
    },
}

/// What a further call is made on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum On {
    Class,
    Receiver,
    /// The object that a constructor made.
    Result,
    /// What the call returned, if nobody but the method can name its class.
    Returned,
}

/// A method that may be called before or after, with values for its parameters.
struct Role {
    method: Member,
    is_static: bool,
    wants: Vec<Want>,
    choices: Vec<Vec<Arc<Recipe>>>,
}

/// Who may take part in stories about one method.
pub(super) struct Cast {
    roles: Vec<Role>,
    /// Methods of the type that it returns.
    of_returned: Vec<Role>,
    /// How that can be written to.
    alters_returned: Option<&'static str>,
    /// Numbers that the code mentions, of which counters may make something.
    numbers: Vec<i64>,
}

impl Cast {
    /// Unchanged methods of the class that a caller may use.
    pub(super) fn new<'p>(
        (program, class): (&'p Program, &Class),
        edited: &Edited,
        mentioned: &Mentioned,
        supply: &mut Supply<'p>,
        machine: &mut Machine<'p>,
    ) -> Cast {
        let mut roles = Vec::new();
        for (id, declared) in class.methods() {
            let flags = declared.access_flags;
            let access = member_access(program, class, flags);
            let is_special =
                declared.name == program.known.init || declared.name == program.known.clinit;
            let descriptor = MethodDescriptor::parse(program.names.bytes(declared.descriptor));
            let n_parameters = descriptor.map_or(usize::MAX, |it| it.parameter_kinds().count());
            if is_special
                || access == Access::Closed
                || flags.is_abstract()
                || flags.is_synthetic()
                || n_parameters > MOST_PARAMETERS
                || roles.len() >= MOST_METHODS
                || !edited.unchanged.contains(&id)
            {
                continue;
            }
            let wants = Want::parameters(program, class, declared, id.index());
            if wants.len() == n_parameters {
                let method = member(program, class, declared.name, declared.descriptor, access);
                let is_static = flags.is_static();
                roles.extend(Role::new((method, is_static, wants), mentioned, supply, machine));
            }
        }
        let numbers = mentioned.numbers().to_vec();
        Cast { roles, of_returned: Vec::new(), alters_returned: None, numbers }
    }

    /// Lets methods of what the judged one returns take part as well, if it is an interface with few of them.
    pub(super) fn add_returned<'p>(
        &mut self,
        (program, judged): (&'p Program, MethodId),
        mentioned: &Mentioned,
        supply: &mut Supply<'p>,
        machine: &mut Machine<'p>,
    ) {
        let Some(result) = result_of(program, judged) else { return };
        self.alters_returned = alters(program, &result);
        let open = open_methods(program, &result);
        for method in open.into_iter().take(MOST_OPEN + 1) {
            let of = (method.member, false, method.parameters);
            self.of_returned.extend(Role::new(of, mentioned, supply, machine));
        }
        if self.of_returned.len() > MOST_OPEN {
            self.of_returned.clear();
        }
    }

    /// Trials with more than one call.
    pub(super) fn stories(
        &self,
        plain: &Trial,
        wants: &[Want],
        values: &[Vec<Arc<Recipe>>],
    ) -> Vec<Trial> {
        if values.iter().any(Vec::is_empty) {
            return Vec::new();
        }
        let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
        let mut found: Vec<Trial> = (0..STORIES)
            .map(|at| self.story(plain, wants, values, at % 2 == 0, &mut chance))
            .collect();
        found.extend(self.kept(plain, values));
        found.extend(self.many_times(plain, values));
        found.extend(self.returned(plain, (wants, values), &mut chance));
        found.extend(self.meanwhile(plain, values, &mut chance));
        found
    }

    /// What the call returns is called in turn, also after what was passed in was written to.
    fn returned(
        &self,
        plain: &Trial,
        (wants, values): (&[Want], &[Vec<Arc<Recipe>>]),
        chance: &mut Chance,
    ) -> Vec<Trial> {
        let is_dull = self.of_returned.is_empty() && self.alters_returned.is_none();
        if is_dull || plain.kind == CallKind::Constructor {
            return Vec::new();
        }
        let told = (0..RETURNED).map(|_| {
            let mut trial = plain.clone();
            trial.witness.objects = values
                .iter()
                .enumerate()
                .map(|(at, of_one)| named(at, chance.pick(of_one)))
                .collect();
            let inputs = trial.witness.objects.clone();
            if let Some(statement) = self.alters_returned {
                trial.then.push(Further { times: 1, what: Then::AlterReturned(statement) });
                trial.then.extend(again(plain, values, &inputs, chance));
                let roles = self.roles.iter().filter(|role| role.fits(plain.kind));
                trial.then.extend(roles.take(IN_A_ROW).map(|role| role.ask(plain.kind, 0)));
                return trial;
            }
            for _ in 0..1 + chance.below(3) {
                trial.then.extend(alter(&inputs, chance, 4));
                let role: &Role = chance.pick(&self.of_returned);
                let arguments = role.arguments(&inputs, wants, 4, chance);
                let (on, method) = (On::Returned, role.method.clone());
                trial.then.push(Further { times: 1, what: Then::Call { on, method, arguments } });
            }
            trial
        });
        told.collect()
    }

    /// A callback does something to what its caller still has, while the call lasts.
    fn meanwhile(
        &self,
        plain: &Trial,
        values: &[Vec<Arc<Recipe>>],
        chance: &mut Chance,
    ) -> Vec<Trial> {
        if plain.kind == CallKind::Constructor {
            return Vec::new();
        }
        let mut found = Vec::new();
        let stubs = values.iter().enumerate().flat_map(|(at, of_one)| {
            of_one.iter().filter(|it| has_stub(it)).take(MOST_KEPT).map(move |stub| (at, stub))
        });
        for (at, stub) in stubs {
            let pick = |chance: &mut Chance| -> Trial {
                let mut trial = plain.clone();
                let objects = values.iter().map(|of_one| chance.pick(of_one).clone());
                let objects = objects.enumerate().map(|(other, object)| match other == at {
                    true => stub.clone(),
                    false => named(other, &object),
                });
                trial.witness.objects = objects.collect();
                trial
            };
            for nth in 0..MOST_KEPT {
                let trial = pick(chance);
                let inputs = &trial.witness.objects;
                let alterable =
                    (0..inputs.len()).filter(|&at| alteration("", &inputs[at]).is_some());
                let altered = alterable.map(|at| Further { times: 1, what: Then::Alter(at) });
                let is_of_it = |role: &&Role| !role.is_static && plain.kind == CallKind::Instance;
                let roles = self.roles.iter().filter(is_of_it).take(IN_A_ROW);
                let asked = roles.map(|role| role.ask(plain.kind, nth));
                for further in altered.chain(asked) {
                    found.push(Trial { meanwhile: vec![further], ..trial.clone() });
                }
            }
        }
        found
    }

    /// What was passed in is written to, and then everyone is asked: whoever kept it shows that.
    fn kept(&self, plain: &Trial, values: &[Vec<Arc<Recipe>>]) -> Vec<Trial> {
        let mut found = Vec::new();
        for (at, of_one) in values.iter().enumerate() {
            let alterable = of_one.iter().filter(|it| alteration("", it).is_some());
            for object in alterable.take(MOST_KEPT) {
                for nth in 0..MOST_KEPT {
                    let mut trial = plain.clone();
                    let objects = &mut trial.witness.objects;
                    *objects = values.iter().map(|of_one| of_one[0].clone()).collect();
                    objects[at] = Arc::new(Recipe::Shared(3_000_000 + at as u32, object.clone()));
                    trial.then.push(Further { times: 1, what: Then::Alter(at) });
                    let roles = self.roles.iter().filter(|role| role.fits(plain.kind));
                    trial.then.extend(roles.take(IN_A_ROW).map(|role| role.ask(plain.kind, nth)));
                    found.push(trial);
                }
            }
        }
        found
    }

    fn story(
        &self,
        plain: &Trial,
        wants: &[Want],
        values: &[Vec<Arc<Recipe>>],
        is_directed: bool,
        chance: &mut Chance,
    ) -> Trial {
        let mut trial = plain.clone();
        let objects = &mut trial.witness.objects;
        *objects = values.iter().map(|of_one| chance.pick(of_one).clone()).collect();
        for (at, object) in objects.iter_mut().enumerate() {
            *object = named(at, object);
        }
        let inputs = objects.clone();
        if plain.kind == CallKind::Instance {
            let before: Vec<Effect> = (0..chance.below(4))
                .filter_map(|_| {
                    let role = self.role(chance, |role| !role.is_static)?;
                    let arguments = role.arguments(&inputs, wants, 2, chance);
                    Some(Effect::Call { method: role.method.clone(), arguments })
                })
                .collect();
            if !before.is_empty() {
                let object = objects[0].clone();
                objects[0] = Arc::new(Recipe::After { object, effects: before });
            }
        }
        if is_directed {
            let first = alter(&inputs, chance, 2);
            trial.then.extend(first.or_else(|| again(plain, values, &inputs, chance)));
            let start = chance.below(self.roles.len());
            let roles = self.roles.iter().cycle().skip(start).take(self.roles.len().min(IN_A_ROW));
            for role in roles.filter(|role| role.fits(plain.kind)) {
                if chance.below(3) > 0 {
                    trial.then.push(role.further(plain.kind, wants, &inputs, 6, chance));
                }
            }
            return trial;
        }
        for _ in 0..2 + chance.below(5) {
            trial.then.extend(self.further(plain, wants, values, &inputs, chance));
        }
        trial
    }

    fn further(
        &self,
        plain: &Trial,
        wants: &[Want],
        values: &[Vec<Arc<Recipe>>],
        inputs: &[Arc<Recipe>],
        chance: &mut Chance,
    ) -> Option<Further> {
        let altered = alter(inputs, chance, 3);
        if altered.is_some() {
            return altered;
        }
        match chance.below(5) {
            0 | 1 => again(plain, values, inputs, chance),
            _ => {
                let role = self.role(chance, |role| role.fits(plain.kind))?;
                Some(role.further(plain.kind, wants, inputs, 2, chance))
            }
        }
    }

    /// The same call as often as the code counts.
    fn many_times(&self, plain: &Trial, values: &[Vec<Arc<Recipe>>]) -> Vec<Trial> {
        let (on, skipped) = match plain.kind {
            CallKind::Constructor => return Vec::new(),
            CallKind::Instance => (On::Receiver, 1),
            CallKind::Static => (On::Class, 0),
        };
        let mut trial = plain.clone();
        trial.witness.objects = values.iter().map(|of_one| of_one[0].clone()).collect();
        let arguments = trial.witness.objects[skipped..].to_vec();
        let method = plain.method.clone();
        let what = Then::Call { on, method, arguments };
        let counts = self.numbers.iter().filter(|&&number| number > 2 && number < MOST_TIMES);
        let mut counts: Vec<i64> = counts.copied().collect();
        counts.push(8);
        let times = counts.into_iter().map(|number| number as u32 + 2);
        times
            .map(|times| Trial {
                then: vec![Further { times, what: what.clone() }],
                ..trial.clone()
            })
            .collect()
    }

    fn role(&self, chance: &mut Chance, fits: impl Fn(&Role) -> bool) -> Option<&Role> {
        let fitting: Vec<&Role> = self.roles.iter().filter(|role| fits(role)).collect();
        if fitting.is_empty() {
            return None;
        }
        Some(*chance.pick::<&Role>(&fitting))
    }
}

impl Role {
    /// The method with values for its parameters, if there are any for each.
    fn new<'p>(
        (method, is_static, wants): (Member, bool, Vec<Want>),
        mentioned: &Mentioned,
        supply: &mut Supply<'p>,
        machine: &mut Machine<'p>,
    ) -> Option<Role> {
        let choices: Vec<Vec<Arc<Recipe>>> = wants
            .iter()
            .map(|want| {
                let made = supply.values(machine, want, 1);
                let usual = made.iter().take(CHOICES / 2).cloned();
                let program = supply.view.program;
                let stub = match want {
                    Want::Class { name, .. } => plain_stub(program, *name).map(Arc::new),
                    Want::Primitive(_) | Want::Array(_) => None,
                };
                let special = stub.into_iter().chain(mentioned.inputs(program, want));
                usual.chain(special).take(CHOICES).collect()
            })
            .collect();
        let is_usable = choices.iter().all(|made| !made.is_empty());
        is_usable.then_some(Role { method, is_static, wants, choices })
    }

    /// Whether there is something to call it on.
    fn fits(&self, kind: CallKind) -> bool {
        self.is_static || kind != CallKind::Static
    }

    /// A call of it, after one of that kind.
    fn further(
        &self,
        kind: CallKind,
        wants: &[Want],
        inputs: &[Arc<Recipe>],
        of_many: usize,
        chance: &mut Chance,
    ) -> Further {
        let arguments = self.arguments(inputs, wants, of_many, chance);
        self.called(kind, arguments)
    }

    /// A call of it with the nth value for each parameter.
    fn ask(&self, kind: CallKind, nth: usize) -> Further {
        let nth_of = |choices: &Vec<Arc<Recipe>>| choices[nth.min(choices.len() - 1)].clone();
        self.called(kind, self.choices.iter().map(nth_of).collect())
    }

    fn called(&self, kind: CallKind, arguments: Vec<Arc<Recipe>>) -> Further {
        let on = match (self.is_static, kind) {
            (true, _) => On::Class,
            (false, CallKind::Constructor) => On::Result,
            (false, CallKind::Instance | CallKind::Static) => On::Receiver,
        };
        Further { times: 1, what: Then::Call { on, method: self.method.clone(), arguments } }
    }

    /// Values for all parameters; what the judged call gets where that fits, but for one in so many.
    fn arguments(
        &self,
        inputs: &[Arc<Recipe>],
        wants: &[Want],
        of_many: usize,
        chance: &mut Chance,
    ) -> Vec<Arc<Recipe>> {
        let parameters = self.wants.iter().zip(&self.choices);
        parameters
            .map(|(want, choices)| {
                let same = (0..inputs.len()).find(|&at| wants[at] == *want);
                match same {
                    Some(at) if chance.below(of_many) > 0 => inputs[at].clone(),
                    // The first ones are the most ordinary.
                    Some(_) | None => {
                        let at = chance.below(choices.len()).min(chance.below(choices.len()));
                        choices[at].clone()
                    }
                }
            })
            .collect()
    }
}

/// What is passed in has one name throughout.
fn named(at: usize, object: &Arc<Recipe>) -> Arc<Recipe> {
    if object.is_plain() {
        return object.clone();
    }
    Arc::new(Recipe::Shared(3_000_000 + at as u32, object.clone()))
}

/// A write to something that was passed in, once in so many.
fn alter(inputs: &[Arc<Recipe>], chance: &mut Chance, of_many: usize) -> Option<Further> {
    let can = |at: &usize| matches!(&*inputs[*at], Recipe::Shared(_, inner) if alteration("", inner).is_some());
    let alterable: Vec<usize> = (0..inputs.len()).filter(can).collect();
    if alterable.is_empty() || chance.below(of_many) > 0 {
        return None;
    }
    Some(Further { times: 1, what: Then::Alter(*chance.pick(&alterable)) })
}

/// The statement that writes to a result of this type, if anything can be written there.
fn alters(program: &Program, result: &Want) -> Option<&'static str> {
    match result {
        Want::Primitive(_) => None,
        Want::Array(component) => Some(match **component {
            Want::Primitive(Primitive::Boolean) => "result[0] = !result[0]",
            Want::Primitive(_) => "result[0]++",
            Want::Class { .. } | Want::Array(_) => "result[0] = null",
        }),
        Want::Class { name, .. } => {
            let id = program.find_class(*name)?;
            let holders = ["java/util/Collection", "java/util/Map"];
            let is_below = |it: &&str| {
                let above = program.find_class_text(it);
                above.is_some_and(|above| program.is_subtype(id, above) == Some(true))
            };
            let is_holder =
                program.role(id) == program::Role::Platform && holders.iter().any(is_below);
            is_holder.then_some("result.clear()")
        }
    }
}

/// The judged method once more.
fn again(
    plain: &Trial,
    values: &[Vec<Arc<Recipe>>],
    inputs: &[Arc<Recipe>],
    chance: &mut Chance,
) -> Option<Further> {
    let (on, skipped) = match plain.kind {
        CallKind::Constructor => return None,
        CallKind::Instance => (On::Receiver, 1),
        CallKind::Static => (On::Class, 0),
    };
    let arguments = (skipped..values.len())
        .map(|at| match chance.below(3) {
            0 => inputs[at].clone(),
            1 => equal(&inputs[at]),
            _ => chance.pick(&values[at]).clone(),
        })
        .collect();
    Some(Further { times: 1, what: Then::Call { on, method: plain.method.clone(), arguments } })
}

/// The same value as another object, where that can be.
fn equal(recipe: &Arc<Recipe>) -> Arc<Recipe> {
    match &**recipe {
        Recipe::Text(units) => Arc::new(copy(units.to_vec())),
        Recipe::Shared(_, inner) => inner.clone(),
        _ => recipe.clone(),
    }
}

/// A fixed sequence that looks random.
pub(super) struct Chance(pub(super) u64);

impl Chance {
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n.max(1)
    }

    pub(super) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}
