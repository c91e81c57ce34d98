//! Values of any type, and objects of a class in greater number.

use std::sync::Arc;

use program::{Class, ClassId, Element, Name, Program, Type};
use symex::concrete::{Machine, ObjectData, Value};

use super::super::access::{Access, class_access, is_open_to_all, member_access};
use super::super::recipe::{Recipe, Stub};
use super::explore::{bases, mixtures, permuted, pick, together, variations};
use super::generics::Bindings;
use super::want::{Argument, Want};
use super::ways::{Way, WayKind, is_offered, producers_around};
use super::{Recipes, Supply, member, primitives};

/// An object of the pool.
pub struct Made {
    pub recipe: Arc<Recipe>,
    pub object: Value,
    pub class: ClassId,
}

/// Variations of each parameter that a way is worth, however many ways there are.
const EACH_PARAMETER: usize = 5;
/// With more parameters than these, that would be too many.
const MANY_PARAMETERS: usize = 7;

/// Parameters of parameters get fewer and fewer values.
const VALUES_BY_DEPTH: [usize; 5] = [24, 24, 4, 2, 1];

impl Supply<'_> {
    /// Values for a parameter, the ordinary first, null third.
    pub fn values(&mut self, machine: &mut Machine<'_>, want: &Want, depth: u8) -> Recipes {
        let Some(&limit) = VALUES_BY_DEPTH.get(usize::from(depth)) else { return Arc::default() };
        let key = (want.clone(), depth, self.open.clone());
        if let Some(made) = self.made.get(&key) {
            return made.clone();
        }
        let made: Vec<Arc<Recipe>> = match want {
            Want::Primitive(primitive) => {
                let literals = primitives::literals(*primitive, &self.view.harvest);
                literals.into_iter().map(|literal| Arc::new(Recipe::Literal(literal))).collect()
            }
            Want::Array(inner) => self.arrays(machine, inner, depth),
            Want::Class { name, arguments, is_raw } => {
                match self.known_values(machine, *name, arguments, *is_raw, depth) {
                    Some(known) => known,
                    None => self.class_values(machine, *name, arguments, limit.min(6), depth),
                }
            }
        };
        let mut list: Vec<Arc<Recipe>> = Vec::new();
        for recipe in made {
            if list.len() < limit && !list.contains(&recipe) {
                list.push(recipe);
            }
        }
        if !matches!(want, Want::Primitive(_)) {
            list.insert(list.len().min(2), Arc::new(Recipe::Null));
        }
        let list: Recipes = list.into();
        self.made.insert(key, list.clone());
        list
    }

    fn arrays(&mut self, machine: &mut Machine<'_>, inner: &Want, depth: u8) -> Vec<Arc<Recipe>> {
        let program = self.view.program;
        let component: Arc<str> = descriptor(program, inner).into();
        let items = self.values(machine, inner, depth + 1);
        let of = |items: &[&Arc<Recipe>]| {
            let items = items.iter().map(|&item| item.clone()).collect();
            Arc::new(Recipe::Array { component: component.clone(), items })
        };
        let mut found: Vec<Arc<Recipe>> = contents(&items).iter().map(|items| of(items)).collect();
        if let (Want::Primitive(primitive), [first, _, zero, ..]) = (inner, &items[..]) {
            found.push(of(&[first, zero]));
            found.push(of(&[zero]));
            let pairs = primitives::pairs(*primitive, &self.view.harvest);
            found.extend(pairs.into_iter().map(|pair| {
                let pair = pair.map(|literal| Arc::new(Recipe::Literal(literal)));
                of(&[&pair[0], &pair[1]])
            }));
        }
        found
    }

    /// Values of a class type: of the class itself, or of its implementations.
    fn class_values(
        &mut self,
        machine: &mut Machine<'_>,
        name: Name,
        arguments: &[Argument],
        limit: usize,
        depth: u8,
    ) -> Vec<Arc<Recipe>> {
        let program = self.view.program;
        let Some(class) = program.find_class(name).and_then(|id| program.class(id)) else {
            return Vec::new();
        };
        let is_concrete = !class.is_interface() && !class.access_flags.is_abstract();
        let wanted = Bindings::of(class, arguments);
        let mut found: Vec<Arc<Recipe>> = self
            .objects_of(machine, class, &wanted, limit, depth)
            .into_iter()
            .map(|made| made.recipe)
            .collect();
        if !is_concrete || found.is_empty() {
            let view = &self.view;
            let implementations = view
                .index
                .implementations(program, class.id, |access, name| self.is_open(access, name));
            for id in implementations {
                if found.len() < limit
                    && let Some(below) = program.class(id)
                    && let Some(own) = Bindings::below(program, below, class, &wanted)
                {
                    let made = self.objects_of(machine, below, &own, limit.div_ceil(2), depth);
                    found.extend(made.into_iter().map(|made| made.recipe));
                }
            }
        }
        if found.is_empty() && class.is_interface() && can_be_stubbed(program, class) {
            let stub = Stub::of(&program.names.text(name), Access::Public);
            let stub = Arc::new(Recipe::Stub(Arc::new(stub)));
            found.extend((0..2).filter_map(|_| {
                let number = self.new_number();
                let shared = Arc::new(Recipe::Shared(number, stub.clone()));
                self.try_out(machine, &shared).map(|_| shared)
            }));
        }
        found.truncate(limit);
        found
    }

    /// Up to `limit` objects of the class, whatever its type arguments.
    pub fn objects(
        &mut self,
        machine: &mut Machine<'_>,
        class: &Class,
        limit: usize,
        depth: u8,
    ) -> Vec<Made> {
        self.objects_of(machine, class, &Bindings::default(), limit, depth)
    }

    /// Up to `limit` objects of the class, made in different ways. Those with identity equality are
    /// shared by number, so that two objects can hold the same.
    fn objects_of(
        &mut self,
        machine: &mut Machine<'_>,
        class: &Class,
        bindings: &Bindings,
        limit: usize,
        depth: u8,
    ) -> Vec<Made> {
        if self.open.contains(&class.id) || usize::from(depth) + 1 >= VALUES_BY_DEPTH.len() {
            return Vec::new();
        }
        self.open.push(class.id);
        let mut found = Vec::new();
        // Constructors for the package alone leave objects half-made where there are public ones.
        let (public, package): (Vec<Way>, Vec<Way>) = self
            .ways(class, bindings)
            .into_iter()
            .partition(|way| way.member.access == Access::Public);
        for ways in [public, package] {
            for (at, way) in ways.iter().enumerate() {
                // What a way may cost: costly ones must leave something for those after them.
                let fair = self.instructions / (ways.len() - at) as u64;
                let reserve = self.instructions - (fair + fair / 2).min(self.instructions);
                self.instructions -= reserve;
                // The first ways say most: each gets half of what is left, but enough to show something.
                let left = limit.saturating_sub(found.len());
                let n = way.wants.len();
                let each = if n <= MANY_PARAMETERS { EACH_PARAMETER * n } else { 0 };
                let least = limit.div_ceil(6).max(each).min(limit);
                let share = if at + 1 == ways.len() { left } else { left.div_ceil(2) }.max(least);
                let made = self.walk(machine, class, way, share, depth);
                self.instructions += reserve;
                found.extend(made);
            }
            if !found.is_empty() {
                break;
            }
        }
        self.open.pop();
        if depth > 0 {
            for made in &mut found {
                self.share(machine, made);
            }
        }
        found
    }

    /// As `objects`, and if there are none, those that the classes around it hand out.
    pub fn objects_by_any_way(
        &mut self,
        machine: &mut Machine<'_>,
        class: &Class,
        limit: usize,
    ) -> Vec<Made> {
        let found = self.objects(machine, class, limit, 0);
        if !found.is_empty() {
            return found;
        }
        self.open.push(class.id);
        let found = self.objects_of_closed(machine, class, limit);
        self.open.pop();
        found
    }

    /// Objects that one way leads to.
    fn walk(
        &mut self,
        machine: &mut Machine<'_>,
        class: &Class,
        way: &Way,
        limit: usize,
        depth: u8,
    ) -> Vec<Made> {
        let mut lists: Vec<Recipes> =
            way.wants.iter().map(|want| self.values(machine, want, depth + 1)).collect();
        way.drop_nulls(&mut lists);
        let lengths: Vec<usize> = lists.iter().map(|list| list.len()).collect();
        let n_mixtures = if depth == 0 { 16 } else { 4 };
        let mut found: Vec<Made> = Vec::new();
        let mut base = None;
        let gaps_before = self.n_gaps;
        for indices in bases(&lengths, n_mixtures) {
            if let Some(made) = self.make(machine, class, way, &lists, &indices) {
                found.push(made);
                base = Some(indices);
                break;
            }
            // What the machine cannot follow does not depend on the arguments as a rule.
            if self.n_gaps > gaps_before + 2 {
                break;
            }
        }
        let Some(base) = base else { return found };
        let varied = variations(&base, &lengths).into_iter();
        let mixed = if way.wants.len() > 1 { mixtures(&lengths, limit / 4) } else { Vec::new() };
        // Several unusual arguments at once are no chance find, so they come beside the others.
        let special = if depth == 0 {
            [together(&base, &lists), permuted(&base, &lists, &way.wants)].concat()
        } else {
            Vec::new()
        };
        let limit = limit + special.len();
        for indices in special.into_iter().chain(varied.take(limit * 2)).chain(mixed) {
            if found.len() >= limit || self.n_gaps > gaps_before + 6 {
                break;
            }
            found.extend(self.make(machine, class, way, &lists, &indices));
        }
        found
    }

    fn make(
        &mut self,
        machine: &mut Machine<'_>,
        class: &Class,
        way: &Way,
        lists: &[Recipes],
        indices: &[usize],
    ) -> Option<Made> {
        let recipe = way.recipe(pick(lists, indices));
        self.keep(machine, class, recipe)
    }

    /// The recipe with its object, if it makes one of the class or a subclass.
    pub(super) fn keep(
        &mut self,
        machine: &mut Machine<'_>,
        class: &Class,
        recipe: Recipe,
    ) -> Option<Made> {
        let gaps_before = self.n_gaps;
        let Some(object) = self.try_out(machine, &recipe) else {
            if self.n_gaps > gaps_before {
                self.keep_unfollowed(class.id, recipe);
            }
            return None;
        };
        let made = class_of(machine, object)?;
        let program = self.view.program;
        (program.is_subtype(made, class.id) == Some(true)).then(|| Made {
            recipe: Arc::new(recipe),
            object,
            class: made,
        })
    }

    /// Objects of a class that source cannot name, through the classes around it.
    fn objects_of_closed(
        &mut self,
        machine: &mut Machine<'_>,
        class: &Class,
        limit: usize,
    ) -> Vec<Made> {
        const MAX_OWNERS: usize = 2;
        let program = self.view.program;
        let mut found = self.constants_around(machine, class);
        for id in producers_around(program, self.view.index, class) {
            if found.len() >= limit {
                return found;
            }
            let (owner, method) = program.method(id);
            let access = member_access(program, owner, method.access_flags);
            let Some(way) = self.way(id, access, WayKind::Factory, &Bindings::default()) else {
                continue;
            };
            found.extend(self.walk(machine, class, &way, limit / 2 + 1, 0));
        }
        if found.is_empty() {
            for owner in outer_classes(program, class) {
                let owners = self.objects(machine, owner, 6, 1);
                for made in owners.into_iter().take(MAX_OWNERS) {
                    found.extend(self.parts_of(machine, &made, owner, class));
                }
            }
        }
        found.truncate(limit);
        found
    }

    /// Objects of the class that static fields of the classes around it hold: an anonymous class often
    /// has one object only, as has the class of an enum constant with a body.
    fn constants_around(&mut self, machine: &mut Machine<'_>, class: &Class) -> Vec<Made> {
        const MAX_CONSTANTS: usize = 16;
        let program = self.view.program;
        let ancestry = program.ancestry(class);
        let mut recipes = Vec::new();
        for owner in outer_classes(program, class) {
            for (_, field) in owner.fields() {
                let flags = field.access_flags;
                let ty = Type::parse(program.names.bytes(field.descriptor), &program.names);
                let fits = ty.is_some_and(|ty| match ty.element {
                    Element::Class(name) if ty.dimensions == 0 && name != program.known.object => {
                        program.find_class(name).is_some_and(|id| ancestry.contains(id))
                    }
                    Element::Class(_) | Element::Primitive(_) => false,
                });
                let access = member_access(program, owner, flags);
                let is_kept = flags.is_static() && flags.is_final() && !flags.is_synthetic();
                if fits && is_kept && self.is_open(access, owner.name) {
                    let member = member(program, owner, field.name, field.descriptor, access);
                    recipes.push(Recipe::Constant(member));
                }
            }
        }
        let recipes = recipes.into_iter().take(MAX_CONSTANTS);
        recipes.filter_map(|recipe| self.keep(machine, class, recipe)).collect()
    }

    /// Objects of the class that methods of an object around it return: views, entries, builders.
    pub(super) fn parts_of(
        &mut self,
        machine: &mut Machine<'_>,
        made: &Made,
        owner: &Class,
        class: &Class,
    ) -> Vec<Made> {
        const MAX_METHODS: usize = 24;
        let program = self.view.program;
        let ancestry = program.ancestry(class);
        let mut found = Vec::new();
        let methods = owner.methods().filter(|(_, method)| {
            let flags = method.access_flags;
            let result = program::MethodDescriptor::parse(program.names.bytes(method.descriptor))
                .and_then(|descriptor| descriptor.result_type(&program.names));
            let fits = result.is_some_and(|ty| match ty.element {
                Element::Class(name) if ty.dimensions == 0 && name != program.known.object => {
                    program.find_class(name).is_some_and(|id| ancestry.contains(id))
                }
                Element::Class(_) | Element::Primitive(_) => false,
            });
            let is_plain = !flags.is_static() && !flags.is_synthetic() && !flags.is_abstract();
            is_plain && fits && is_offered(program, owner, flags)
        });
        for (id, method) in methods.take(MAX_METHODS) {
            let access = member_access(program, owner, method.access_flags);
            let Some(way) = self.way(id, access, WayKind::Factory, &Bindings::default()) else {
                continue;
            };
            let lists: Vec<Recipes> =
                way.wants.iter().map(|want| self.values(machine, want, 2)).collect();
            let lengths: Vec<usize> = lists.iter().map(|list| list.len()).collect();
            for indices in bases(&lengths, 4) {
                let recipe = Recipe::Call {
                    receiver: made.recipe.clone(),
                    method: way.member.clone(),
                    arguments: pick(&lists, &indices),
                };
                found.extend(self.keep(machine, class, recipe));
            }
        }
        found
    }

    /// Gives an object with identity equality a number.
    fn share(&mut self, machine: &Machine<'_>, made: &mut Made) {
        let is_constant = matches!(*made.recipe, Recipe::Constant(_));
        if !is_constant && has_identity_equality(self.view.program, machine, made.object) {
            let number = self.new_number();
            self.shared().insert(number, made.object);
            made.recipe = Arc::new(Recipe::Shared(number, made.recipe.clone()));
        }
    }
}

/// What an array or a collection may hold: one thing, two, none, another, a third, two in the other
/// order, and some with one of them twice.
pub(super) fn contents(items: &[Arc<Recipe>]) -> Vec<Vec<&Arc<Recipe>>> {
    match items {
        [] => vec![vec![]],
        [only] => vec![vec![only], vec![]],
        [first, second, rest @ ..] => {
            let usual = [vec![first], vec![first, second], vec![], vec![second]];
            let third = rest.iter().find(|it| ***it != Recipe::Null).map(|third| vec![third]);
            let repeated = [
                vec![second, first],
                vec![first, first],
                vec![first, first, second],
                vec![first, second, second],
            ];
            usual.into_iter().chain(third).chain(repeated).collect()
        }
    }
}

/// The class of an object; `None` for arrays, lambdas and what is no object.
pub fn class_of(machine: &Machine<'_>, value: Value) -> Option<ClassId> {
    let Value::Ref(object) = value else { return None };
    if object.is_null() {
        return None;
    }
    let object = machine.heap.object(object);
    match (&object.data, object.ty) {
        (ObjectData::Fields(_), Type { element: Element::Class(name), dimensions: 0 }) => {
            machine.program.find_class(name)
        }
        (_, _) => None,
    }
}

fn has_identity_equality(program: &Program, machine: &Machine<'_>, object: Value) -> bool {
    let class = class_of(machine, object).filter(|&id| program.class(id).is_some());
    class.is_none_or(|id| super::index::has_identity_equality(program, id))
}

/// Whether anyone may implement the interface, as a proxy then does; sealed ones say who may.
fn can_be_stubbed(program: &Program, class: &Class) -> bool {
    is_open_to_all(program, class) && !class.access_flags.is_annotation()
}

/// The classes that a nested class stands in and that source can name, innermost first.
fn outer_classes<'p>(program: &'p Program, class: &Class) -> Vec<&'p Class> {
    let text = program.names.text(class.name).into_owned();
    let ends = text.match_indices('$').map(|(at, _)| at).collect::<Vec<_>>();
    let names = ends.into_iter().rev().map(|end| text[..end].to_owned());
    let found = names.filter_map(|name| program.class(program.find_class_text(&name)?));
    found.filter(|class| class_access(program, class) != Access::Closed).collect()
}

pub(crate) fn descriptor(program: &Program, want: &Want) -> String {
    match want {
        Want::Primitive(primitive) => primitive_letter(*primitive).to_string(),
        Want::Class { name, .. } => format!("L{};", program.names.text(*name)),
        Want::Array(inner) => format!("[{}", descriptor(program, inner)),
    }
}

fn primitive_letter(primitive: program::Primitive) -> char {
    use program::Primitive::{Boolean, Byte, Char, Double, Float, Int, Long, Short};
    match primitive {
        Boolean => 'Z',
        Byte => 'B',
        Char => 'C',
        Short => 'S',
        Int => 'I',
        Long => 'J',
        Float => 'F',
        Double => 'D',
    }
}
