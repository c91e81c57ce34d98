//! A program for each circle: objects, one thread for each role, and where each is to be stopped.
//!
//! Objects are built by constructors and factories that any caller can use; a circle whose objects
//! cannot be built that way has no program. Which parameters of the roles have to be one object follows
//! from the circle itself.

use program::{ClassId, FieldId, MethodDescriptor, MethodId, Primitive, Type};

use super::context::Context;
use super::cycles::Circle;
use super::feasible::{Bindings, Role, bind};
use super::names::class_name;
use super::path::Root;
use super::summary::{Source, Summary, Via};

/// Where a thread holds its first lock and is about to want the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    /// The binary name with dots: `p.C$D`.
    pub class: String,
    pub method: String,
    pub descriptor: String,
    pub pc: u16,
}

/// What one thread does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HangRole {
    /// Java statements.
    pub code: String,
    /// `None`: it is started once all others have arrived.
    pub stop: Option<Stop>,
}

/// A program that should never end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HangProgram {
    /// Java statements that build the objects.
    pub setup: Vec<String>,
    pub roles: Vec<HangRole>,
    /// Whether every caller can do this, or only code in the same package.
    pub is_public: bool,
}

/// What became of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HangOutcome {
    /// All threads wait forever; what was seen.
    Hung(Vec<String>),
    Finished,
    /// It could not be run.
    Failed(String),
}

/// Who can run programs: behind it is a JVM.
pub trait HangRunner {
    /// One outcome for each program.
    fn run(&self, programs: &[HangProgram]) -> Vec<HangOutcome>;
}

impl HangProgram {
    /// The program for people.
    pub fn source(&self) -> String {
        let mut text = String::from(
            "public class Deadlock {\n    public static void main(String[] args) throws Exception {\n",
        );
        for line in &self.setup {
            text += &format!("        {line}\n");
        }
        for (number, role) in self.roles.iter().enumerate() {
            text += &format!(
                "        Thread thread{} = new Thread(() -> {{\n            try {{\n                \
                 {}\n            }} catch (Exception e) {{\n                \
                 throw new RuntimeException(e);\n            }}\n        }});\n",
                number + 1,
                role.code
            );
        }
        for number in 1..=self.roles.len() {
            text += &format!("        thread{number}.start();\n");
        }
        for number in 1..=self.roles.len() {
            text += &format!("        thread{number}.join(); // never returns\n");
        }
        text + "    }\n}\n"
    }
}

/// The program of a circle of monitors and locks, if its objects can be built.
pub(crate) fn build_program(
    context: &Context<'_>,
    summaries: &[Summary],
    circle: &Circle,
) -> Option<HangProgram> {
    let roles: Vec<Role<'_>> = circle
        .roles
        .iter()
        .map(|seat| Role { entry: seat.entry, pair: &summaries[seat.entry].pairs[seat.record] })
        .collect();
    if roles.iter().any(|role| role.pair.is_spawned) {
        return None;
    }
    let bindings = bind(context, &roles);
    let mut builder =
        Builder { context, bindings: &bindings, lines: Vec::new(), variables: Vec::new() };
    let mut built = Vec::new();
    for (thread, role) in roles.iter().enumerate() {
        let code = builder.call(thread, context.slice.methods[role.entry])?;
        let seat = circle.roles[thread];
        built
            .push(HangRole { code, stop: Some(stop(context, summaries, seat.entry, seat.record)) });
    }
    let setup = builder.lines;
    Some(HangProgram { setup, roles: built, is_public: true })
}

/// A program that initialises the two classes from two threads.
pub(crate) fn init_program(
    names: [&str; 2],
    stops: [Option<Stop>; 2],
    is_public: bool,
) -> HangProgram {
    let role = |name: &str, stop: Option<Stop>| HangRole {
        code: format!("Class.forName(\"{name}\");"),
        stop,
    };
    let [first, second] = stops;
    let roles = vec![role(names[0], first), role(names[1], second)];
    HangProgram { setup: Vec::new(), roles, is_public }
}

pub(crate) fn stop_at(context: &Context<'_>, method: usize, pc: u16) -> Stop {
    let program = context.universe.program;
    let id = context.slice.methods[method];
    let (class, declared) = program.method(id);
    Stop {
        class: program.class_text(class.name),
        method: program.names.text(declared.name).into_owned(),
        descriptor: program.names.text(declared.descriptor).into_owned(),
        pc,
    }
}

fn stop(
    context: &Context<'_>,
    summaries: &[Summary],
    mut method: usize,
    mut record: usize,
) -> Stop {
    loop {
        match summaries[method].pairs[record].source {
            Source::Own { wanted, .. } => return stop_at(context, method, wanted.pc()),
            Source::Lifted { callee, record: inner, .. } => {
                (method, record) = (callee as usize, inner as usize);
            }
            Source::Callback { callee, callback, .. } => {
                let (mut at, mut number) = (callee as usize, callback as usize);
                loop {
                    match summaries[at].callbacks[number].via {
                        Via::Own { pc } => return stop_at(context, at, pc),
                        Via::Call { callee, record, .. } => {
                            (at, number) = (callee as usize, record as usize);
                        }
                    }
                }
            }
        }
    }
}

struct Builder<'a> {
    context: &'a Context<'a>,
    bindings: &'a Bindings,
    lines: Vec<String>,
    /// The object of a binding and its variable.
    variables: Vec<(usize, String)>,
}

impl Builder<'_> {
    /// The call of an entry method by one thread.
    fn call(&mut self, thread: usize, method: MethodId) -> Option<String> {
        let universe = self.context.universe;
        let program = universe.program;
        let (class, declared) = program.method(method);
        let flags = declared.access_flags;
        let is_static = flags.is_static();
        let unnamed = program.package(class.name).is_empty();
        if !flags.is_public() && !unnamed || declared.name == program.known.init {
            return None;
        }
        let descriptor = MethodDescriptor::parse(program.names.bytes(declared.descriptor))?;
        let types = descriptor.parameter_types(&program.names);
        let mut arguments = Vec::new();
        for (index, ty) in types.iter().enumerate() {
            let parameter = index as u16 + u16::from(!is_static);
            arguments.push(self.argument(thread, parameter, *ty)?);
        }
        let name = program.names.text(declared.name);
        let receiver = if is_static {
            java_name(&class_name(self.context, class.id))
        } else {
            let object = self.object(thread, 0, Some(class.id))?;
            let owner = self.accessible_owner(class, declared.name, declared.descriptor)?;
            format!("(({}) {object})", java_name(&class_name(self.context, owner)))
        };
        Some(format!("{receiver}.{name}({});", arguments.join(", ")))
    }

    /// The class, or a supertype that a caller can name and that declares the method.
    fn accessible_owner(
        &self,
        class: &program::Class,
        name: program::Name,
        descriptor: program::Name,
    ) -> Option<ClassId> {
        let universe = self.context.universe;
        let ancestry = universe.program.ancestry(class);
        let above = ancestry.superclasses.iter().chain(&ancestry.interfaces);
        above.copied().find(|&id| {
            universe.is_accessible(id)
                && universe
                    .program
                    .class(id)
                    .is_some_and(|it| it.declared_method(name, descriptor).is_some())
        })
    }

    fn argument(&mut self, thread: usize, parameter: u16, ty: Type) -> Option<String> {
        let names = &self.context.universe.program.names;
        if let Some(primitive) = primitive_default(ty) {
            return Some(primitive);
        }
        let class = super::values::class_of_type(self.context.universe, ty);
        let cast = java_name(&ty.display(names));
        let bound = self.bindings.object(thread, parameter).is_some();
        let value = if bound {
            self.object(thread, parameter, class)?
        } else {
            match class {
                Some(class) => self.build(class, &[], 0).unwrap_or("null".to_owned()),
                None => "null".to_owned(),
            }
        };
        let is_nameable = class.is_none_or(|it| self.context.universe.is_accessible(it));
        Some(if is_nameable { format!("({cast}) {value}") } else { value })
    }

    /// The variable of the object that a parameter stands for.
    fn object(&mut self, thread: usize, parameter: u16, class: Option<ClassId>) -> Option<String> {
        let Some(object) = self.bindings.object(thread, parameter) else {
            return self.build(class?, &[], 0);
        };
        if let Some((_, name)) = self.variables.iter().find(|(it, _)| *it == object) {
            return Some(name.clone());
        }
        let class = self.context.universe.narrower(class, self.bindings.class(object))?;
        let mut fields = Vec::new();
        for (field, target) in self.bindings.fields(object) {
            // The other object first, unless it is being built already.
            let name = match self.variables.iter().find(|(it, _)| *it == target) {
                Some((_, name)) => name.clone(),
                None => {
                    let class = self.bindings.class(target)?;
                    self.declare(target, class, &[])?
                }
            };
            fields.push((field, name));
        }
        self.declare(object, class, &fields)
    }

    fn declare(
        &mut self,
        object: usize,
        class: ClassId,
        fields: &[(FieldId, String)],
    ) -> Option<String> {
        let value = self.build(class, fields, 0)?;
        let name = format!("object{}", self.variables.len() + 1);
        self.lines.push(format!("var {name} = {value};"));
        self.variables.push((object, name.clone()));
        Some(name)
    }

    /// An expression for a new object of the class or a subclass, with these fields.
    fn build(&self, class: ClassId, fields: &[(FieldId, String)], depth: usize) -> Option<String> {
        const DEEPEST: usize = 3;
        if depth > DEEPEST {
            return None;
        }
        self.construct(class, fields, depth)
            .or_else(|| if fields.is_empty() { self.make(class, depth) } else { None })
            .or_else(|| self.build_subclass(class, fields, depth))
    }

    fn construct(
        &self,
        class: ClassId,
        fields: &[(FieldId, String)],
        depth: usize,
    ) -> Option<String> {
        let universe = self.context.universe;
        let program = universe.program;
        let declared = program.class(class)?;
        if !universe.is_accessible(class)
            || declared.access_flags.is_abstract()
            || self.is_inner(declared)
        {
            return None;
        }
        if program.class_name(class) == program.known.string {
            return Some("\"\"".to_owned());
        }
        let unnamed = program.package(declared.name).is_empty();
        let mut constructors: Vec<_> = declared
            .methods()
            .filter(|(_, it)| it.name == program.known.init)
            .filter(|(_, it)| {
                it.access_flags.is_public() || unnamed && !it.access_flags.is_private()
            })
            .collect();
        constructors.sort_by_key(|(id, it)| (program.names.bytes(it.descriptor).len(), *id));
        constructors.into_iter().find_map(|(id, it)| {
            let given = self.given(id, fields)?;
            let descriptor = MethodDescriptor::parse(program.names.bytes(it.descriptor))?;
            let types = descriptor.parameter_types(&program.names);
            let arguments: Option<Vec<String>> = types
                .iter()
                .enumerate()
                .map(|(index, ty)| match given.iter().find(|(at, _)| *at == index + 1) {
                    Some((_, name)) => Some(name.clone()),
                    None => self.fresh_argument(*ty, depth),
                })
                .collect();
            let name = java_name(&class_name(self.context, class));
            Some(format!("new {name}({})", arguments?.join(", ")))
        })
    }

    /// Which parameters of a constructor go to these fields; `None` if some field is not set by it.
    fn given(
        &self,
        constructor: MethodId,
        fields: &[(FieldId, String)],
    ) -> Option<Vec<(usize, String)>> {
        if fields.is_empty() {
            return Some(Vec::new());
        }
        let facts = &self.context.slice.facts[self.context.slice.index(constructor)?];
        fields
            .iter()
            .map(|(field, name)| {
                let store = facts.stores.iter().find(|store| store.field == *field)?;
                let path = self.context.paths.of(store.value?.path);
                match path.root {
                    Root::Param(index) if path.steps().is_empty() => {
                        Some((usize::from(index), name.clone()))
                    }
                    Root::Param(_)
                    | Root::Static(_)
                    | Root::Class(_)
                    | Root::Text(_)
                    | Root::Alloc(..)
                    | Root::Result(_)
                    | Root::Local(_)
                    | Root::Unknown => None,
                }
            })
            .collect()
    }

    fn is_inner(&self, class: &program::Class) -> bool {
        class.fields.iter().any(|field| {
            self.context.universe.program.names.bytes(field.name).starts_with(b"this$")
        })
    }

    fn fresh_argument(&self, ty: Type, depth: usize) -> Option<String> {
        if let Some(primitive) = primitive_default(ty) {
            return Some(primitive);
        }
        let universe = self.context.universe;
        let names = &universe.program.names;
        let class = super::values::class_of_type(universe, ty);
        let value = class.and_then(|class| self.build(class, &[], depth + 1));
        let cast = java_name(&ty.display(names));
        let is_nameable = class.is_none_or(|it| universe.is_accessible(it));
        match value {
            Some(value) => Some(value),
            None if is_nameable => Some(format!("({cast}) null")),
            None => None,
        }
    }

    /// A static method that any caller can use and that returns a new object of this very class.
    fn make(&self, class: ClassId, depth: usize) -> Option<String> {
        let context = self.context;
        let program = context.universe.program;
        let makes = |&method: &usize| {
            let (owner, declared) = program.method(context.slice.methods[method]);
            let flags = declared.access_flags;
            let returned = context.slice.facts[method].returned;
            flags.is_static()
                && flags.is_public()
                && context.universe.is_accessible(owner.id)
                && returned.is_some_and(|it| it.class == Some(class) && it.exact)
        };
        let method = (0..context.slice.methods.len()).find(makes)?;
        let (owner, declared) = program.method(context.slice.methods[method]);
        let descriptor = MethodDescriptor::parse(program.names.bytes(declared.descriptor))?;
        let types = descriptor.parameter_types(&program.names);
        let arguments: Option<Vec<String>> =
            types.iter().map(|&ty| self.fresh_argument(ty, depth)).collect();
        let owner = java_name(&class_name(context, owner.id));
        let name = program.names.text(declared.name);
        Some(format!("{owner}.{name}({})", arguments?.join(", ")))
    }

    fn build_subclass(
        &self,
        class: ClassId,
        fields: &[(FieldId, String)],
        depth: usize,
    ) -> Option<String> {
        const TRIES: usize = 12;
        let universe = self.context.universe;
        let is_plain = universe.program.class_name(class) == universe.program.known.object;
        if is_plain {
            return Some("new Object()".to_owned());
        }
        let subtypes = universe.world.subtypes(class);
        let own = universe.program.package(universe.program.class_name(class));
        let is_near =
            |id: &&ClassId| universe.program.package(universe.program.class_name(**id)) == own;
        let near = subtypes.iter().filter(is_near);
        let far = subtypes.iter().filter(|id| !is_near(id));
        near.chain(far)
            .filter(|&&id| id != class)
            .take(TRIES)
            .find_map(|&id| self.construct(id, fields, depth + 1))
    }
}

fn primitive_default(ty: Type) -> Option<String> {
    match ty {
        Type { element: program::Element::Primitive(primitive), dimensions: 0 } => {
            Some(match primitive {
                Primitive::Boolean => "false".to_owned(),
                Primitive::Char => "'a'".to_owned(),
                Primitive::Byte
                | Primitive::Short
                | Primitive::Int
                | Primitive::Long
                | Primitive::Float
                | Primitive::Double => format!("({}) 0", primitive.keyword()),
            })
        }
        Type { element: program::Element::Primitive(_), dimensions: 1 } => {
            Some(format!("new {}", ty_text(ty)))
        }
        Type { element: program::Element::Primitive(_) | program::Element::Class(_), .. } => None,
    }
}

fn ty_text(ty: Type) -> String {
    match ty.element {
        program::Element::Primitive(primitive) => format!("{}[0]", primitive.keyword()),
        program::Element::Class(_) => String::new(),
    }
}

/// A nested class as source writes it.
fn java_name(binary: &str) -> String {
    binary.replace('$', ".")
}
