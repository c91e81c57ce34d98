//! Interfaces that a caller may implement: what their methods take and give, by the type arguments that
//! are wanted, and stubs that answer with values of these types, or throw.

use std::sync::Arc;

use program::{Class, ClassId, Method, MethodDescriptor, Program, Type};
use symex::concrete::Machine;

use super::super::access::{Access, class_access};
use super::super::literal::Literal;
use super::super::recipe::{Member, Recipe, Reply, Stub};
use super::generics::Bindings;
use super::known::public;
use super::want::{Scope, Want, class_signature, method_signature};
use super::{Supply, member};

/// Stubs that answer, each with other values.
const ANSWERING: usize = 3;

/// A method that whoever implements an interface writes.
pub struct OpenMethod {
    pub member: Member,
    pub parameters: Vec<Want>,
    /// Nothing where whoever calls it says what it gives.
    result: Option<Want>,
    /// What it may throw, by internal name.
    thrown: Vec<String>,
}

/// The abstract methods of an interface with these type arguments, but for those that all objects have.
pub fn open_methods(program: &Program, want: &Want) -> Vec<OpenMethod> {
    let Want::Class { name, arguments, is_raw: false } = want else { return Vec::new() };
    let class = program.find_class(*name).and_then(|id| program.class(id));
    let Some(class) = class.filter(|class| class.is_interface()) else { return Vec::new() };
    let wanted = Bindings::of(class, arguments);
    let mut found: Vec<OpenMethod> = Vec::new();
    for &id in program.ancestry(class).interfaces.iter() {
        let Some(above) = program.class(id) else { continue };
        let bindings = match id == class.id {
            true => wanted.clone(),
            false => Bindings::above(program, class, &wanted, above),
        };
        for (method, declared) in above.methods() {
            if declared.access_flags.is_abstract() && !is_of_every_object(program, declared) {
                let open = open_method(program, above, (method.index(), declared), &bindings);
                let is_new = |open: &OpenMethod| found.iter().all(|it| !is_same(it, open));
                found.extend(open.filter(is_new));
            }
        }
    }
    found
}

fn is_same(one: &OpenMethod, other: &OpenMethod) -> bool {
    (&one.member.name, &one.member.descriptor) == (&other.member.name, &other.member.descriptor)
}

/// `Comparator` declares `equals`, as others do `hashCode` or `toString`.
fn is_of_every_object(program: &Program, declared: &Method) -> bool {
    let object = program.find_class(program.known.object).and_then(|id| program.class(id));
    let mut methods = object.into_iter().flat_map(Class::methods);
    methods.any(|(_, it)| (it.name, it.descriptor) == (declared.name, declared.descriptor))
}

fn open_method(
    program: &Program,
    class: &Class,
    (at, declared): (usize, &Method),
    bindings: &Bindings,
) -> Option<OpenMethod> {
    let descriptor = MethodDescriptor::parse(program.names.bytes(declared.descriptor))?;
    let signature = method_signature(class, at);
    let result = match &signature {
        Some(signature) if signature.type_parameters.is_empty() => {
            let own = class_signature(class);
            let parameters = own.iter().flat_map(|it| &it.parameters).collect();
            let scope = Scope { parameters, bindings: bindings.clone() };
            let result = signature.result.as_ref();
            result.map(|field| Want::from_signature(program, field, &scope, 0))
        }
        Some(_) => None,
        None => descriptor.result_type(&program.names).map(|ty| Want::from_type(program, ty)),
    };
    let exceptions = class.file.methods.get(at)?.exceptions(&class.file).unwrap_or_default();
    let text = |utf8| classfile::mutf8::decode_lossy(class.file.bytes(utf8)).into_owned();
    Some(OpenMethod {
        member: member(program, class, declared.name, declared.descriptor, Access::Public),
        parameters: Want::bound_parameters(program, class, declared, at, bindings),
        result,
        thrown: exceptions.into_iter().map(text).collect(),
    })
}

impl OpenMethod {
    /// Whether what it answers must fit what it answers elsewhere, as an order does.
    fn is_order(&self) -> bool {
        let is_int = self.result == Some(Want::Primitive(program::Primitive::Int));
        is_int && (self.parameters.len() == 2 || &*self.member.name == "compareTo")
    }

    fn reply(&self, value: Arc<Recipe>, is_thrown: bool) -> Reply {
        let (method, descriptor) = (self.member.name.clone(), self.member.descriptor.clone());
        Reply { method, descriptor, value, is_thrown }
    }
}

impl<'a> Supply<'a> {
    /// Stubs that answer with values of the types that their methods promise, and stubs that throw.
    pub fn replying(&mut self, machine: &mut Machine<'a>, want: &Want) -> Vec<Recipe> {
        let program = self.view.program;
        let Want::Class { name, .. } = want else { return Vec::new() };
        let class = program.find_class(*name).and_then(|id| program.class(id));
        let Some(class) = class else { return Vec::new() };
        let methods = open_methods(program, want);
        let answers: Vec<Vec<Arc<Recipe>>> =
            methods.iter().map(|method| self.answers(machine, method)).collect();
        let n_stubs = answers.iter().map(Vec::len).max().unwrap_or(0).min(ANSWERING);
        let mut found: Vec<Vec<Reply>> = Vec::new();
        for nth in 0..n_stubs {
            let both = methods.iter().zip(&answers).filter(|(_, values)| !values.is_empty());
            let reply = |(method, values): (&OpenMethod, &Vec<Arc<Recipe>>)| {
                method.reply(values[nth % values.len()].clone(), false)
            };
            found.push(both.map(reply).collect());
        }
        let unchecked = new("java/lang/IllegalStateException");
        found.push(methods.iter().map(|it| it.reply(unchecked.clone(), true)).collect());
        let mut declared = methods.iter().flat_map(|it| &it.thrown);
        if let Some(thrown) = declared.find(|name| can_be_made(program, name)) {
            let throwing = methods.iter().filter(|it| it.thrown.contains(thrown));
            found.push(throwing.map(|it| it.reply(new(thrown), true)).collect());
        }
        let access = class_access(program, class);
        let stub = |replies| Stub { replies, ..Stub::of(&program.names.text(*name), access) };
        found.retain(|replies| !replies.is_empty());
        found.into_iter().map(|replies| Recipe::Stub(Arc::new(stub(replies)))).collect()
    }

    /// What a method may answer, but null.
    fn answers(&mut self, machine: &mut Machine<'a>, method: &OpenMethod) -> Vec<Arc<Recipe>> {
        let Some(want) = method.result.as_ref().filter(|_| !method.is_order()) else {
            return Vec::new();
        };
        if let Want::Class { name, .. } = want
            && self.view.program.find_class(*name).is_none_or(|id| is_thrown(self.view.program, id))
        {
            return Vec::new();
        }
        let made = self.values(machine, want, 1);
        let mut found: Vec<Arc<Recipe>> =
            made.iter().filter(|it| ***it != Recipe::Null).cloned().collect();
        // Numbers below zero are what people forget.
        found.sort_by_key(|it| !is_negative(it));
        found
    }
}

fn is_negative(recipe: &Recipe) -> bool {
    match recipe {
        Recipe::Literal(literal) | Recipe::Boxed(literal) => match *literal {
            Literal::Byte(value) => value < 0,
            Literal::Short(value) => value < 0,
            Literal::Int(value) => value < 0,
            Literal::Long(value) => value < 0,
            Literal::Float(bits) => f32::from_bits(bits) < 0.0,
            Literal::Double(bits) => f64::from_bits(bits) < 0.0,
            Literal::Boolean(_) | Literal::Char(_) => false,
        },
        _ => false,
    }
}

/// Whether objects of the class can be thrown: a stub would.
fn is_thrown(program: &Program, class: ClassId) -> bool {
    let throwable = program.find_class_text("java/lang/Throwable");
    throwable.is_none_or(|it| program.is_subtype(class, it) != Some(false))
}

fn can_be_made(program: &Program, exception: &str) -> bool {
    let class = program.find_class_text(exception).and_then(|id| program.class(id));
    class.is_some_and(|class| {
        let mut methods = class.methods().map(|(_, method)| method);
        let is_usable = |method: &Method| {
            method.name == program.known.init
                && program.names.bytes(method.descriptor) == b"()V"
                && method.access_flags.is_public()
        };
        class_access(program, class) == Access::Public
            && !class.access_flags.is_abstract()
            && methods.any(is_usable)
    })
}

fn new(exception: &str) -> Arc<Recipe> {
    let constructor = public(exception, "<init>", "()V");
    Arc::new(Recipe::New { constructor, arguments: Vec::new() })
}

/// What a method returns, by its generic type.
pub fn result_of(program: &Program, id: program::MethodId) -> Option<Want> {
    Want::of_result(program, id).or_else(|| {
        let (_, declared) = program.method(id);
        let descriptor = MethodDescriptor::parse(program.names.bytes(declared.descriptor))?;
        let ty: Type = descriptor.result_type(&program.names)?;
        Some(Want::from_type(program, ty))
    })
}
