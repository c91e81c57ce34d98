//! Hits for the rules of `compareTo` and of comparators.

use std::sync::Arc;

use program::ir::Op;
use program::{
    Class, ClassId, Element, FieldSignature, MethodDescriptor, MethodId, Type, TypeArgument,
};
use symex::concrete::Value;

use super::super::comparators::Provider;
use super::super::contract::{compare_member, compare_to_member, question};
use super::super::pool::Item;
use super::super::property::Property;
use super::best::{Best, Matrix};
use super::equals::ask;
use super::{Hit, Limits, Search, is_loose};
use crate::witness::supply::classes::class_of;
use crate::witness::supply::{Made, Want, class_signature, may_compare};
use crate::witness::{Answer, Operand, Recipe, Step};

/// How many objects take part.
const MAX_ORDERED: usize = 192;

impl Search<'_, '_, '_> {
    pub(super) fn disordered(&mut self, property: Property) -> Vec<Hit> {
        let program = self.table.program();
        let Some(method) = self.subject.compare_to else { return Vec::new() };
        let Some(compare) = self.contract.comparable_method(self.table.program()) else {
            return Vec::new();
        };
        let ordered = self.ordered(method);
        let (_, declared) = program.method(method);
        let is_own = |at: usize| {
            let name = program.class_name(self.table.items[at].class);
            let found = program.resolve_method(name, declared.name, declared.descriptor).found();
            found == Some(method)
        };
        let own: Vec<usize> = ordered.iter().copied().filter(|&at| is_own(at)).collect();
        let same_class = self.compares_only_its_own_class();
        let found = self.disorders(property, &own, &ordered, &mut |search, a, b| {
            let [one, two] = [a, b].map(|at| search.table.items[at].class);
            let fits = one == two || !same_class && may_compare(program, one, two);
            fits.then(|| search.table.ask(compare, a, Some(b))).flatten()
        });
        let hits = found.into_iter().map(|at| {
            let steps = order_steps(property, |x, y| {
                Step::Ask(question(x, compare_to_member(), &[Operand::Object(y)]))
            });
            self.hit(&at, false, steps)
        });
        hits.collect()
    }

    /// Pairs or triples that break the property, one of `own` in front, the most ordinary.
    fn disorders(
        &mut self,
        property: Property,
        own: &[usize],
        others: &[usize],
        compare: &mut dyn FnMut(&mut Self, usize, usize) -> Option<Answer>,
    ) -> Vec<Vec<usize>> {
        let mut best = Best::default();
        if property == Property::CompareTransitive {
            self.intransitive_order(own, others, compare, &mut best);
            return best.into_positions().collect();
        }
        for &x in own {
            for &y in others {
                let Some(xy) = compare(self, x, y) else { continue };
                let is_broken = match property {
                    Property::CompareAntisymmetric => {
                        compare(self, y, x).is_some_and(|yx| property.is_broken_by(&[xy, yx]))
                    }
                    Property::CompareTotal => {
                        let items = [x, y].map(|at| &self.table.items[at]);
                        let is_ours = items.iter().any(|item| is_loose(&item.recipe));
                        !is_ours && property.is_broken_by(&[xy])
                    }
                    Property::CompareConsistent => {
                        x != y
                            && self
                                .equal(x, y)
                                .is_some_and(|equal| property.is_broken_by(&[xy, equal]))
                    }
                    Property::CompareTransitive
                    | Property::Reflexive
                    | Property::Symmetric
                    | Property::Transitive
                    | Property::Null
                    | Property::Total
                    | Property::HashConsistent
                    | Property::HashStable
                    | Property::Overloaded => false,
                };
                if is_broken {
                    self.offer(&mut best, &[x, y]);
                }
            }
        }
        best.into_positions().collect()
    }

    /// The pairs have been compared for antisymmetry, so that triples cost no further calls.
    fn intransitive_order(
        &mut self,
        own: &[usize],
        others: &[usize],
        compare: &mut dyn FnMut(&mut Self, usize, usize) -> Option<Answer>,
        best: &mut Best,
    ) {
        let signs = Matrix::fill(others.len(), |x, y| match compare(self, others[x], others[y]) {
            Some(Answer::Int(order)) => Some(order.signum() as i8),
            Some(_) | None => None,
        });
        let own = (0..others.len()).filter(|&at| own.contains(&others[at]));
        for x in own {
            for y in 0..others.len() {
                let Some(xy) = signs.at(x, y) else { continue };
                for z in 0..others.len() {
                    let (Some(yz), Some(xz)) = (signs.at(y, z), signs.at(x, z)) else { continue };
                    if (xy == yz && xz != xy) || (xy == 0 && xz != yz) || (yz == 0 && xz != xy) {
                        self.offer(best, &[others[x], others[y], others[z]]);
                    }
                }
            }
        }
    }

    /// Objects of the type that the method says it compares with.
    fn ordered(&self, method: MethodId) -> Vec<usize> {
        let program = self.table.program();
        let Some(compared) = self.compared_by(method) else { return Vec::new() };
        let fits =
            |at: &usize| program.is_subtype(self.table.items[*at].class, compared) == Some(true);
        (0..self.table.len()).filter(fits).take(MAX_ORDERED).collect()
    }

    /// What a `compareTo` can be given.
    pub(super) fn compared_by(&self, method: MethodId) -> Option<ClassId> {
        let program = self.table.program();
        let (_, declared) = program.method(method);
        let descriptor = MethodDescriptor::parse(program.names.bytes(declared.descriptor))?;
        let types = descriptor.parameter_types(&program.names);
        let [Type { element: Element::Class(name), dimensions: 0 }] = types[..] else {
            return None;
        };
        // Written for raw Comparable: it means its own class.
        let is_raw = name == program.known.object;
        if is_raw { Some(self.subject.class) } else { program.find_class(name) }
    }

    /// `class C<T> implements Comparable<T>`: what T is, each subclass says for itself.
    fn compares_only_its_own_class(&self) -> bool {
        let program = self.table.program();
        let signature = program.class(self.subject.class).and_then(class_signature);
        let interfaces = signature.map(|signature| signature.interfaces).unwrap_or_default();
        let comparable = interfaces.iter().find(|it| it.name == "java/lang/Comparable");
        let argument = comparable.and_then(|it| it.arguments.first());
        matches!(argument, Some(TypeArgument::Exact(FieldSignature::Variable(_))))
    }

    pub(super) fn disordered_by_comparator(
        &mut self,
        property: Property,
        limits: &Limits,
    ) -> Vec<Hit> {
        const MAX_COMPARATORS: usize = 4;
        let program = self.table.program();
        let Some(class) = program.class(self.subject.class) else { return Vec::new() };
        let (Some(method), Some(compare)) =
            (self.subject.compare, self.contract.comparator_method(self.table.program()))
        else {
            return Vec::new();
        };
        let compared = match self.subject.provider {
            Some(provider) => provider.compared(program).map(|want| (want, true)),
            None => self.compared_want(method),
        };
        let Some((want, is_sure)) = compared else { return Vec::new() };
        // A comparator for strings or arrays may be made for those of some form only.
        let is_general = match want {
            Want::Class { name, .. } => self.is_foreign(name),
            Want::Array(_) | Want::Primitive(_) => true,
        };
        if property == Property::CompareTotal && (!is_sure || is_general) {
            return Vec::new();
        }
        let first = self.table.len();
        let operands = self.operands(&want, limits);
        self.table.items.extend(operands);
        if property != Property::CompareTotal {
            self.table.items.extend(self.null_operand(&want));
        }
        let others: Vec<usize> = (first..self.table.len()).take(MAX_ORDERED).collect();
        let comparators = match self.subject.provider {
            Some(provider) => self.provided(provider, class).into_iter().collect(),
            None => self.supply.objects_by_any_way(self.table.machine, class, MAX_COMPARATORS),
        };
        let mut hits = Vec::new();
        for comparator in comparators.iter().filter(|made| made.class == class.id) {
            self.table.forget(compare);
            let object = comparator.object;
            let found = self.disorders(property, &others, &others, &mut |search, a, b| {
                search.table.compare(compare, object, a, b)
            });
            hits.extend(found.iter().map(|at| self.comparator_hit(property, comparator, at)));
        }
        self.table.forget(compare);
        self.table.items.truncate(first);
        hits
    }

    /// What a comparator says of null, unless it throws, is part of its order.
    fn null_operand(&self, want: &Want) -> Option<Item> {
        let Want::Class { name, .. } = want else { return None };
        let class = self.table.program().find_class(*name)?;
        let object = Value::Ref(symex::concrete::Ref::NULL);
        Some(Item::new(Made { recipe: Arc::new(Recipe::Null), object, class }))
    }

    /// The comparator that a field or a method of the class offers.
    fn provided(&mut self, provider: Provider, class: &Class) -> Option<Made> {
        let recipe = provider.recipe(self.table.program());
        let object = self.supply.try_out(self.table.machine, &recipe)?;
        Some(Made { recipe: Arc::new(recipe), object, class: class.id })
    }

    /// Whether the class is of the JDK, and the subject is not.
    fn is_foreign(&self, name: program::Name) -> bool {
        let program = self.table.program();
        let role = |id: ClassId| program.role(id);
        program.find_class(name).is_some_and(|id| role(id) != role(self.subject.class))
    }

    fn comparator_hit(&self, property: Property, comparator: &Made, at: &[usize]) -> Hit {
        let steps = order_steps(property, |x, y| {
            let operands = [Operand::Object(x + 1), Operand::Object(y + 1)];
            Step::Ask(question(0, compare_member(), &operands))
        });
        let mut hit = self.hit(at, false, steps);
        hit.witness.names.insert(0, "order");
        hit.witness.objects.insert(0, comparator.recipe.clone());
        hit.needs.extend(crate::witness::needs(&comparator.recipe));
        hit.classes.insert(0, comparator.class);
        let (_, access, is_mixed, size) = hit.rank;
        let access = access.max(comparator.recipe.access());
        hit.rank = (hit.needs.len(), access, is_mixed, size + comparator.recipe.size());
        hit
    }

    /// What a comparator compares, and whether it says so itself.
    fn compared_want(&self, method: MethodId) -> Option<(Want, bool)> {
        let program = self.table.program();
        let (class, declared) = program.method(method);
        let want = Want::parameters(program, class, declared, method.index()).into_iter().next()?;
        let descriptor = program.names.bytes(declared.descriptor);
        if !descriptor.starts_with(b"(Ljava/lang/Object;") {
            return Some((want, true));
        }
        // A raw comparator casts its arguments first.
        let body = program.lower(method).ok()??;
        let cast = body.instructions.iter().find_map(|instruction| {
            if let Op::CheckCast(ty, _) = instruction.op { Some(ty) } else { None }
        });
        let string = Want::class(program.known.string);
        Some((cast.map_or(string, |ty| Want::from_type(program, ty)), false))
    }

    fn operands(&mut self, want: &Want, limits: &Limits) -> Vec<Item> {
        let program = self.table.program();
        let machine = &mut *self.table.machine;
        let class = match want {
            Want::Class { name, .. } => program.find_class(*name).and_then(|id| program.class(id)),
            Want::Primitive(_) | Want::Array(_) => None,
        };
        let mut recipes: Vec<Arc<Recipe>> = self.supply.operands(machine, want);
        if let Some(class) = class {
            let more = self.supply.objects(machine, class, limits.counts.own, 0);
            recipes.extend(more.into_iter().map(|made| made.recipe));
        }
        let mut items: Vec<Item> = Vec::new();
        for recipe in recipes {
            let known = items.iter().any(|item| item.recipe == recipe);
            if *recipe == Recipe::Null || known {
                continue;
            }
            let object: Option<Value> = self.supply.try_out(machine, &recipe);
            // An array is an object of no class that has a name.
            let object_class = program.find_class(program.known.object);
            if let Some(object) = object
                && let Some(class) = class_of(machine, object).or(object_class)
            {
                items.push(Item::new(Made { recipe, object, class }));
            }
        }
        items
    }
}

/// The questions that show whether objects 0, 1, 2 are in order.
fn order_steps(property: Property, compare: impl Fn(usize, usize) -> Step) -> Vec<Step> {
    match property {
        Property::CompareAntisymmetric => vec![compare(0, 1), compare(1, 0)],
        Property::CompareTransitive => vec![compare(0, 1), compare(1, 2), compare(0, 2)],
        Property::CompareConsistent => vec![compare(0, 1), ask(0, 1)],
        Property::CompareTotal
        | Property::Reflexive
        | Property::Symmetric
        | Property::Transitive
        | Property::Null
        | Property::Total
        | Property::HashConsistent
        | Property::HashStable
        | Property::Overloaded => vec![compare(0, 1)],
    }
}
