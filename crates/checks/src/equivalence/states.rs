//! Objects after what a caller may do to them, by one call or by several in a row.
//!
//! Methods that were edited take part where both versions leave the same behind, private and static
//! fields included: what differs afterwards is then the doing of the method that is judged.

use std::sync::Arc;

use program::{Class, ClassId, FieldId, MethodId, Program, Type};
use symex::concrete::{Machine, Outcome};

use super::initialiser::{common_fields, only_computes};
use super::proof::Edited;
use super::snapshot::contents;
use super::story::Chance;
use super::trial::BUDGET;
use crate::witness::supply::Supply;
use crate::witness::{Built, Effect, Member, Recipe, find_method, follow};

const AFTER_ONE: usize = 16;
const AFTER_SEVERAL: usize = 16;
const MOST_IN_A_ROW: usize = 5;
/// States made with edited methods of which it is asked whether both versions agree on them.
const ASKED: usize = 24;

/// Where objects are brought into some state.
pub(super) struct States<'a, 'p> {
    pub(super) old: &'p Program,
    pub(super) new: &'a Program,
    pub(super) edited: &'a Edited,
    pub(super) supply: &'a mut Supply<'p>,
}

impl<'p> States<'_, 'p> {
    /// The object after calls that both versions understand alike.
    pub(super) fn of(
        &mut self,
        machine: &mut Machine<'p>,
        class: &Class,
        object: &Arc<Recipe>,
    ) -> Vec<Arc<Recipe>> {
        let effects = self.supply.effects(machine, class);
        let (same, other): (Vec<Effect>, Vec<Effect>) = effects
            .into_iter()
            .partition(|effect| effect.member().is_some_and(|it| self.is_unchanged(it)));
        let after = |effects| Arc::new(Recipe::After { object: object.clone(), effects });
        let mut found: Vec<Arc<Recipe>> =
            same.iter().take(AFTER_ONE).map(|effect| after(vec![effect.clone()])).collect();
        let mut chance = Chance(0x5851_f42d_4c95_7f2d);
        if same.len() > 1 {
            found.extend(rows(&same, AFTER_SEVERAL, &mut chance).into_iter().map(after));
        }
        let quiet: Vec<Effect> =
            other.into_iter().filter(|effect| self.is_quiet(class, effect)).collect();
        if quiet.is_empty() {
            return found;
        }
        let one = quiet.iter().map(|effect| vec![effect.clone()]).take(ASKED / 3);
        let all = [&same[..], &quiet].concat();
        let asked = one
            .chain(rows(&all, 2 * ASKED, &mut chance))
            .filter(|row| row.iter().any(|it| quiet.contains(it)));
        let asked = asked.map(after).take(ASKED);
        found.extend(asked.filter(|recipe| self.leaves_the_same(class, recipe)));
        found
    }

    fn is_unchanged(&self, member: &Member) -> bool {
        match find_method(self.old, member) {
            Ok(method) => self.edited.unchanged.contains(&method),
            // A field.
            Err(_) => true,
        }
    }

    /// Whether an edited method does nothing in either version but to objects that it can see and to static
    /// fields of its class.
    fn is_quiet(&self, class: &Class, effect: &Effect) -> bool {
        let Effect::Call { method, .. } = effect else { return false };
        let quiet = |program: &Program, id: Option<ClassId>| {
            let (Ok(method), Some(class)) = (find_method(program, method), id) else {
                return false;
            };
            only_computes(program, class, vec![method]).is_ok_and(|touched| touched.is_empty())
        };
        quiet(self.old, Some(class.id)) && quiet(self.new, self.in_new(class))
    }

    fn in_new(&self, class: &Class) -> Option<ClassId> {
        self.new.find_class_text(&self.old.names.text(class.name))
    }

    /// Whether both versions make the same of a recipe, down to private fields.
    fn leaves_the_same(&self, class: &Class, recipe: &Recipe) -> bool {
        let Some(other) = self.in_new(class) else { return false };
        let fields = common_fields(self.old, self.new, (class.id, other));
        let n_statics = |program: &Program, id| {
            let fields = program.class(id).map(|class| class.fields());
            let fields = fields.into_iter().flatten();
            fields.filter(|(_, field)| field.access_flags.is_static()).count()
        };
        if [n_statics(self.old, class.id), n_statics(self.new, other)] != [fields.len(); 2] {
            return false;
        }
        let (old_fields, new_fields): (Vec<FieldId>, Vec<FieldId>) = fields.into_iter().unzip();
        let one = left_behind(self.old, recipe, &old_fields);
        let two = left_behind(self.new, recipe, &new_fields);
        match (one, two) {
            (Ok(one), Ok(two)) => one == two && !self.edited.shows_reshaped(&one),
            (_, _) => false,
        }
    }
}

/// So many rows: first one of each method with several arguments, then any, longer ones too.
fn rows(effects: &[Effect], count: usize, chance: &mut Chance) -> Vec<Vec<Effect>> {
    let mut found: Vec<Vec<Effect>> = Vec::new();
    for effect in effects {
        let alike = effects.iter().filter(|it| it.member() == effect.member());
        let alike: Vec<Effect> = alike.take(3).cloned().collect();
        if alike.len() > 1 && !found.contains(&alike) {
            found.push(alike);
        }
    }
    found.truncate(count / 2);
    let rest = count - found.len();
    found.extend((0..rest).map(|_| row(effects, chance)));
    found
}

/// A few of them in a row, the first ones more often.
fn row(effects: &[Effect], chance: &mut Chance) -> Vec<Effect> {
    let length = 2 + chance.below(MOST_IN_A_ROW - 1);
    let pick = |chance: &mut Chance| {
        let at = chance.below(effects.len()).min(chance.below(effects.len()));
        effects[at].clone()
    };
    (0..length).map(|_| pick(chance)).collect()
}

/// What a recipe makes, and what static fields hold afterwards.
fn left_behind(program: &Program, recipe: &Recipe, statics: &[FieldId]) -> Outcome<String> {
    let mut machine = Machine::new(program, BUDGET);
    let made = follow(&mut machine, recipe, &mut Built::default())?;
    let mut values = vec![(made, Type::class(program.known.object))];
    for &field in statics {
        let (_, declared) = program.field(field);
        let ty = Type::parse(program.names.bytes(declared.descriptor), &program.names);
        values.push((machine.read_static(field)?, ty.unwrap_or(Type::class(declared.name))));
    }
    contents(&mut machine, &values)
}

/// Whether a call on an object of that class runs the method itself.
pub(super) fn runs(program: &Program, class: ClassId, method: MethodId) -> bool {
    let flags = program.method(method).1.access_flags;
    flags.is_private() || program.select_method(class, method).found() == Some(method)
}
