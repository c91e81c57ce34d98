//! Objects of the library that can call nobody: all that they hold are numbers, texts and the like.

use program::{ClassId, Element, Method, Type};

use super::universe::Universe;

impl Universe<'_> {
    /// Whether no object of the class leads to one that somebody else wrote: the class is final, or nobody
    /// outside can name it, and so are those of its fields.
    pub(crate) fn is_plain(&self, class: ClassId) -> bool {
        self.is_plain_besides(class, &mut Vec::new())
    }

    fn is_plain_besides(&self, class: ClassId, seen: &mut Vec<ClassId>) -> bool {
        let program = self.program;
        let Some(declared) = program.class(class) else { return false };
        if seen.contains(&class) || program.names.bytes(declared.name) == b"java/lang/Class" {
            return true;
        }
        seen.push(class);
        if !declared.access_flags.is_final()
            && (self.is_accessible(class) || declared.is_interface())
        {
            return false;
        }
        let above = &program.ancestry(declared).superclasses;
        let fields = above.iter().filter_map(|&it| program.class(it)).flat_map(|it| it.fields());
        let of_objects = fields.filter(|(_, field)| !field.access_flags.is_static());
        let types: Vec<Option<Type>> = of_objects
            .map(|(_, field)| Type::parse(program.names.bytes(field.descriptor), &program.names))
            .collect();
        types.into_iter().all(|ty| match ty.map(|it| it.element) {
            Some(Element::Primitive(_)) => true,
            Some(Element::Class(name)) => {
                self.class(name).is_some_and(|held| self.is_plain_besides(held, seen))
            }
            None => false,
        })
    }

    /// Whether code outside can write a class below this one of the library's.
    pub(crate) fn is_extensible(&self, class: ClassId) -> bool {
        let program = self.program;
        let Some(declared) = program.class(class) else { return true };
        let is_open = |method: &Method| {
            let flags = method.access_flags;
            method.name == program.known.init && (flags.is_public() || flags.is_protected())
        };
        !declared.access_flags.is_final()
            && self.is_accessible(class)
            && (declared.is_interface() || declared.methods.iter().any(is_open))
    }
}
