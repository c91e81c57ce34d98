//! Recipes and questions in the concrete machine.

use program::{MethodDescriptor, MethodId, Program, Resolution, Type};
use rustc_hash::FxHashMap;
use symex::concrete::{Machine, Outcome, Ref, Stop, Unknown, Value};

use super::literal::Literal;
use super::recipe::{Answer, Effect, Member, Operand, Question, Recipe, Step, Witness};

/// Objects that a witness shares by number.
pub type Built = FxHashMap<u32, Value>;

/// Makes what the recipe says.
pub fn follow(machine: &mut Machine<'_>, recipe: &Recipe, shared: &mut Built) -> Outcome<Value> {
    Ok(match recipe {
        Recipe::Null => Value::Ref(Ref::NULL),
        Recipe::Literal(literal) => value_of(*literal),
        Recipe::Boxed(literal) => machine.new_box(literal.primitive(), value_of(*literal))?,
        Recipe::Text(units) => Value::Ref(machine.string_literal(units)?),
        Recipe::Class(descriptor) => {
            let ty = find_type(machine.program, descriptor)?;
            Value::Ref(machine.class_literal(ty)?)
        }
        Recipe::New { constructor, arguments } => {
            let arguments = follow_all(machine, arguments, shared)?;
            let constructor = find_method(machine.program, constructor)?;
            Value::Ref(machine.construct(constructor, &arguments)?)
        }
        Recipe::Static { method, arguments } => {
            let arguments = follow_all(machine, arguments, shared)?;
            let method = find_method(machine.program, method)?;
            result(machine.call(method, &arguments)?)?
        }
        Recipe::Call { receiver, method, arguments } => {
            let receiver = follow(machine, receiver, shared)?;
            let arguments = [vec![receiver], follow_all(machine, arguments, shared)?].concat();
            let method = find_method(machine.program, method)?;
            result(machine.call_virtual(method, &arguments)?)?
        }
        Recipe::Constant(field) => {
            let field = find_field(machine.program, field)?;
            machine.read_static(field)?
        }
        Recipe::Array { component, items } => {
            let items = follow_all(machine, items, shared)?;
            let component = find_type(machine.program, component)?;
            Value::Ref(machine.new_array_of(component, &items)?)
        }
        Recipe::After { object, effects } => {
            let object = follow(machine, object, shared)?;
            for effect in effects {
                apply(machine, object, effect, shared)?;
            }
            object
        }
        Recipe::Stub(stub) => match machine.program.find_class_text(&stub.interface) {
            Some(id) => Value::Ref(machine.new_stub(id)?),
            None => return Err(Stop::Gap(format!("missing class {}", stub.interface))),
        },
        Recipe::Shared(number, recipe) => match shared.get(number) {
            Some(&value) => value,
            None => {
                let value = follow(machine, recipe, shared)?;
                shared.insert(*number, value);
                value
            }
        },
    })
}

fn follow_all(
    machine: &mut Machine<'_>,
    recipes: &[std::sync::Arc<Recipe>],
    shared: &mut Built,
) -> Outcome<Vec<Value>> {
    recipes.iter().map(|recipe| follow(machine, recipe, shared)).collect()
}

/// Does to the object what a caller would.
pub(crate) fn apply(
    machine: &mut Machine<'_>,
    object: Value,
    effect: &Effect,
    shared: &mut Built,
) -> Outcome<()> {
    match effect {
        Effect::Call { method, arguments } => {
            let arguments = [vec![object], follow_all(machine, arguments, shared)?].concat();
            let method = find_method(machine.program, method)?;
            machine.call_virtual(method, &arguments)?;
        }
        Effect::Put { field, value } => {
            let value = follow(machine, value, shared)?;
            let field = find_field(machine.program, field)?;
            machine.write_field(object.reference(), field, value)?;
        }
        Effect::Store { index, value } => {
            let value = follow(machine, value, shared)?;
            machine.write_element(object, *index as i32, value)?;
        }
        Effect::Elsewhere { object, effect } => {
            let object = follow(machine, object, shared)?;
            apply(machine, object, effect, shared)?;
        }
    }
    Ok(())
}

/// Builds all objects anew and asks the questions in order.
pub fn answers(machine: &mut Machine<'_>, witness: &Witness) -> Outcome<Vec<Answer>> {
    let mut shared = Built::default();
    let objects: Vec<Value> = witness
        .objects
        .iter()
        .map(|recipe| follow(machine, recipe, &mut shared))
        .collect::<Outcome<_>>()?;
    let mut answers = Vec::new();
    for step in &witness.steps {
        match step {
            Step::Do(at, effect) => apply(machine, objects[*at], effect, &mut shared)?,
            Step::Ask(question) => answers.push(ask(machine, question, &objects)?),
        }
    }
    Ok(answers)
}

fn ask(machine: &mut Machine<'_>, question: &Question, objects: &[Value]) -> Outcome<Answer> {
    let method = find_method(machine.program, &question.method)?;
    let operands = question.arguments.iter().map(|operand| match operand {
        Operand::Object(at) => objects[*at],
        Operand::Null => Value::Ref(Ref::NULL),
    });
    let arguments: Vec<Value> =
        std::iter::once(objects[question.receiver]).chain(operands).collect();
    let outcome = machine.call_virtual(method, &arguments);
    answer(machine, outcome, question.method.descriptor.ends_with('Z'))
}

/// What a call said, where it is something that a question can be about.
pub(crate) fn answer(
    machine: &Machine<'_>,
    outcome: Outcome<Option<Value>>,
    is_boolean: bool,
) -> Outcome<Answer> {
    match outcome {
        Ok(Some(Value::Int(value))) if is_boolean => Ok(Answer::Boolean(value != 0)),
        Ok(Some(Value::Int(value))) => Ok(Answer::Int(value)),
        Ok(Some(Value::Unknown(Unknown::IdentityHash))) if !is_boolean => Ok(Answer::Chance),
        Ok(Some(Value::Unknown(why))) => Err(Stop::Gap(why.reason().to_owned())),
        Ok(_) => Err(Stop::Gap("an answer that is neither boolean nor int".to_owned())),
        Err(Stop::Throw(exception)) => {
            let ty = machine.heap.object(exception).ty;
            Ok(Answer::Threw(ty.display(&machine.program.names)))
        }
        Err(stop) => Err(stop),
    }
}

fn result(value: Option<Value>) -> Outcome<Value> {
    match value {
        Some(Value::Unknown(why)) => Err(Stop::Gap(why.reason().to_owned())),
        Some(value) => Ok(value),
        None => Err(Stop::Gap("the result of a void method".to_owned())),
    }
}

fn value_of(literal: Literal) -> Value {
    match literal {
        Literal::Boolean(value) => Value::boolean(value),
        Literal::Byte(value) => Value::Int(value.into()),
        Literal::Char(value) => Value::Int(value.into()),
        Literal::Short(value) => Value::Int(value.into()),
        Literal::Int(value) => Value::Int(value),
        Literal::Long(value) => Value::Long(value),
        Literal::Float(bits) => Value::Float(f32::from_bits(bits)),
        Literal::Double(bits) => Value::Double(f64::from_bits(bits)),
    }
}

/// The method that the text means in this program.
pub(crate) fn find_method(program: &Program, member: &Member) -> Outcome<MethodId> {
    let name = |text: &str| program.names.intern(&classfile::mutf8::encode(text));
    let (class, method, descriptor) =
        (name(&member.class), name(&member.name), name(&member.descriptor));
    match program.resolve_method(class, method, descriptor) {
        Resolution::Found(id) if is_callable(program, id) => Ok(id),
        Resolution::Found(_) | Resolution::MissingClass(_) | Resolution::NoSuchMember => {
            Err(Stop::Gap(format!("no method {}.{}", member.class, member.name)))
        }
    }
}

fn is_callable(program: &Program, method: MethodId) -> bool {
    let (_, declared) = program.method(method);
    MethodDescriptor::parse(program.names.bytes(declared.descriptor)).is_some()
}

fn find_type(program: &Program, descriptor: &str) -> Outcome<Type> {
    let ty = Type::parse(&classfile::mutf8::encode(descriptor), &program.names);
    ty.ok_or_else(|| Stop::Gap(format!("no type {descriptor}")))
}

fn find_field(program: &Program, member: &Member) -> Outcome<program::FieldId> {
    let name = |text: &str| program.names.intern(&classfile::mutf8::encode(text));
    let (class, field, descriptor) =
        (name(&member.class), name(&member.name), name(&member.descriptor));
    match program.resolve_field(class, field, descriptor) {
        Resolution::Found(id) => Ok(id),
        Resolution::MissingClass(_) | Resolution::NoSuchMember => {
            Err(Stop::Gap(format!("no field {}.{}", member.class, member.name)))
        }
    }
}
