//! Values for the inputs of the calls that are tried.

use std::sync::Arc;

use program::{ClassId, Role};
use symex::concrete::Machine;

use super::inputs::lists_of;
use super::states::{States, runs};
use super::story::Cast;
use super::trial::{CallKind, Plan};
use crate::witness::supply::classes::{class_of, descriptor};
use crate::witness::supply::{Argument, Want, is_inner};
use crate::witness::{Recipe, find_method};

const VALUES: usize = 16;

impl<'p> Plan<'p> {
    /// Makes values for all inputs.
    pub(super) fn stock(&mut self, machine: &mut Machine<'p>) {
        for (at, want) in self.wants.clone().iter().enumerate() {
            let mut made: Vec<Arc<Recipe>> =
                self.supply.values(machine, want, 1).iter().cloned().collect();
            let is_receiver = at == 0 && self.kind == CallKind::Instance;
            let is_outer = at == 0 && self.has_outer();
            made.retain(|recipe| !(is_receiver || is_outer) || **recipe != Recipe::Null);
            made.truncate(VALUES);
            if is_receiver {
                self.add_heirs(machine, &mut made);
            }
            made.extend(self.changed(machine, want, &made));
            if !is_receiver {
                made.extend(self.mentioned.inputs(self.program, want));
                made.extend(self.stubs(machine, want));
                made.extend(self.of_mentioned_types(machine, want));
                made.extend(self.collected(machine, want));
                made.extend(self.mixed(machine, want));
            }
            self.values.push(made);
        }
        if let Ok(method) = find_method(self.program, &self.method) {
            let (class, _) = self.program.method(method);
            let (mentioned, supply) = (&self.mentioned, &mut self.supply);
            let mut cast =
                Cast::new((self.program, class), self.edited, mentioned, supply, machine);
            cast.add_returned((self.program, method), mentioned, supply, machine);
            self.cast = Some(cast);
        }
    }

    /// Whether the first argument is the object around an inner class, which is never null (JLS 15.9.4).
    fn has_outer(&self) -> bool {
        let class = self.program.find_class_text(&self.method.class);
        let class = class.and_then(|id| self.program.class(id));
        self.kind == CallKind::Constructor
            && class.is_some_and(|class| is_inner(self.program, class))
    }

    /// Receivers of subclasses that inherit the method, and of those that were made the ones that do. What
    /// a subclass itself does differently is said of that.
    fn add_heirs(&mut self, machine: &mut Machine<'p>, made: &mut Vec<Arc<Recipe>>) {
        const EACH: usize = 3;
        let find = |program| find_method(program, &self.method);
        let (Ok(method), Ok(in_new)) = (find(self.program), find(self.new)) else { return };
        let (old, new, unchanged) = (self.program, self.new, &self.edited.unchanged);
        let inherits = |class: ClassId| {
            let other = new.find_class_text(&old.names.text(old.class_name(class)));
            runs(old, class, method) && other.is_some_and(|other| runs(new, other, in_new))
        };
        let is_same = |class: ClassId| {
            let methods = old.class(class).into_iter().flat_map(|class| class.methods());
            methods.into_iter().all(|(id, _)| unchanged.contains(&id))
        };
        let mut heirs = self.supply.view.index.world().subtypes(method.class);
        heirs.retain(|&id| id != method.class && is_same(id) && inherits(id));
        for id in heirs.into_iter().take(VALUES / 4) {
            let want = Want::class(old.class_name(id));
            made.extend(self.supply.values(machine, &want, 1).iter().take(EACH).cloned());
        }
        made.retain(|recipe| {
            let object = self.supply.try_out(machine, recipe);
            object.and_then(|object| class_of(machine, object)).is_none_or(&inherits)
        });
    }

    /// A few objects after calls of theirs.
    fn changed(
        &mut self,
        machine: &mut Machine<'p>,
        want: &Want,
        made: &[Arc<Recipe>],
    ) -> Vec<Arc<Recipe>> {
        let Want::Class { name, .. } = want else { return Vec::new() };
        let class = self.program.find_class(*name);
        let judged = class.filter(|&id| self.program.role(id) == Role::Judged);
        let Some(class) = judged.and_then(|id| self.program.class(id)) else { return Vec::new() };
        let Some(object) = made.iter().find(|recipe| ***recipe != Recipe::Null) else {
            return Vec::new();
        };
        let (old, new) = (self.program, self.new);
        let mut states = States { old, new, edited: self.edited, supply: &mut self.supply };
        states.of(machine, class, object)
    }

    /// Arrays of two unlike objects, or of one and null.
    fn mixed(&mut self, machine: &mut Machine<'p>, want: &Want) -> Vec<Arc<Recipe>> {
        const UNLIKE: usize = 5;
        let Want::Array(component) = want else { return Vec::new() };
        if let Want::Primitive(_) = **component {
            return Vec::new();
        }
        let descriptor: Arc<str> = descriptor(self.program, component).into();
        let items = self.supply.values(machine, component, 1);
        let items: Vec<&Arc<Recipe>> = items.iter().take(UNLIKE).collect();
        let pairs = items.iter().flat_map(|&one| items.iter().map(move |&two| [one, two]));
        let unlike = pairs.filter(|[one, two]| one != two);
        let arrays = unlike.map(|pair| {
            let items = pair.map(Arc::clone).to_vec();
            Arc::new(Recipe::Array { component: descriptor.clone(), items })
        });
        arrays.collect()
    }

    /// Lists of objects of judged classes.
    fn collected(&mut self, machine: &mut Machine<'p>, want: &Want) -> Vec<Arc<Recipe>> {
        let program = self.program;
        let Want::Class { name, arguments, is_raw: false } = want else { return Vec::new() };
        let is_list = matches!(
            &*program.names.text(*name),
            "java/util/List"
                | "java/util/Collection"
                | "java/lang/Iterable"
                | "java/util/ArrayList"
        );
        let [Some(element @ Want::Class { name, .. })] =
            arguments.iter().map(Argument::want).collect::<Vec<_>>()[..]
        else {
            return Vec::new();
        };
        let is_judged =
            program.find_class(*name).is_some_and(|id| program.role(id) == Role::Judged);
        if !is_list || !is_judged {
            return Vec::new();
        }
        let items = self.supply.values(machine, element, 1);
        let items: Vec<Arc<Recipe>> =
            items.iter().filter(|recipe| ***recipe != Recipe::Null).cloned().collect();
        lists_of(&items)
    }

    /// Where anything may be passed, objects of types that the code asks about.
    fn of_mentioned_types(&mut self, machine: &mut Machine<'p>, want: &Want) -> Vec<Arc<Recipe>> {
        let is_anything =
            matches!(want, Want::Class { name, .. } if *name == self.program.known.object);
        if !is_anything {
            return Vec::new();
        }
        let mut made = Vec::new();
        for want in self.mentioned.wants(self.program) {
            made.extend(self.supply.values(machine, &want, 1).iter().take(2).cloned());
        }
        made
    }
}
