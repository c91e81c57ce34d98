//! Which circles are told as one: by the classes that their locks belong to.

use program::ClassId;

use super::{Graph, Key};
use crate::locks::names::{class_name, field_name, method_name};

impl Graph<'_> {
    pub(super) fn group(&self, edges: &[usize], family: &[String]) -> (Vec<String>, bool) {
        let first = self.edges[edges[0]].held;
        if family.windows(2).all(|two| two[0] == two[1]) {
            let class = self.owner(first).map(|it| class_name(self.context, it));
            return (vec![class.unwrap_or_else(|| family[0].clone())], true);
        }
        let outermost = |&edge: &usize| {
            let name = self.family_name(self.edges[edge].held);
            match self.owner(self.edges[edge].held) {
                Some(class) => {
                    let name = class_name(self.context, class);
                    name.split('$').next().unwrap_or_default().to_owned()
                }
                None => name,
            }
        };
        let mut names: Vec<String> = edges.iter().map(outermost).collect();
        names.sort();
        names.dedup();
        (names, false)
    }

    /// The class that a lock belongs to.
    pub(super) fn owner(&self, node: usize) -> Option<ClassId> {
        match self.nodes[node].key {
            Key::Field(field) => Some(self.topmost(field.class)),
            Key::Class(class) => Some(class),
            Key::Alloc(method, _) => Some(method.class),
            Key::Type(class) => Some(self.topmost(class)),
            Key::Text(_) | Key::Anything => None,
        }
    }

    pub(super) fn is_typical(&self, node: usize) -> bool {
        match self.nodes[node].key {
            Key::Type(class) => self.topmost(class) == class,
            Key::Field(_) | Key::Class(_) | Key::Text(_) | Key::Alloc(..) | Key::Anything => true,
        }
    }

    /// The highest class above this one whose methods lock their own object, or the class itself.
    pub(super) fn topmost(&self, class: ClassId) -> ClassId {
        let program = self.context.universe.program;
        let chain = program.class(class).map(|it| &program.ancestry(it).superclasses[..]);
        let locked = chain.unwrap_or(&[]).iter().rev().find(|id| self.types.contains(id));
        locked.copied().unwrap_or(class)
    }

    pub(super) fn family_name(&self, node: usize) -> String {
        let node = &self.nodes[node];
        let program = self.context.universe.program;
        match node.key {
            Key::Field(field) => field_name(self.context, field),
            Key::Class(class) => format!("{}.class", class_name(self.context, class)),
            Key::Text(text) => program.names.text(text).into_owned(),
            Key::Alloc(method, pc) => {
                format!("{} {pc}", method_name(self.context, method))
            }
            Key::Anything => "an object".to_owned(),
            Key::Type(class) => class_name(self.context, self.topmost(class)),
        }
    }
}
