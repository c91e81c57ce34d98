//! What a model of the solver says of the objects of a question.

use std::sync::Arc;

use program::{ClassId, Element, FieldId, Primitive, Type};
use smt::{Assignment, Evaluator, Value};
use symex::symbolic::Term;

use super::super::sketch::{Held, Sketch};
use super::Prover;
use crate::witness::Literal;

impl Prover<'_, '_> {
    /// The objects that break the rule, as far as the model says; nothing where a comparator is asked
    /// about objects of other classes.
    pub(super) fn sketch_of(&mut self, model: &Assignment, broken: Term) -> Option<Sketch> {
        let mut evaluator = Evaluator::new();
        let mut sketch = Sketch::default();
        let cone = self.engine.space.terms.cone(&[broken], &mut smt::Marks::new());
        let terms = &self.engine.space.terms;
        let is_named = |name: &str| {
            let named = |&term: &Term| {
                terms.as_symbol(term).is_some_and(|symbol| terms.symbol_name(symbol) == name)
            };
            cone.iter().any(named)
        };
        if self.subject.provider.is_some() || is_named("comparator") {
            return None;
        }
        let names: Vec<&str> = ["x", "y", "z"].into_iter().filter(|name| is_named(name)).collect();
        for name in names {
            let object = self.object(name);
            let key = self.engine.key(object);
            let key = bits(&evaluator.eval(&self.engine.space.terms, key, model))?;
            let class = self.class_in(model, &mut evaluator, object)?;
            sketch.objects.push((class, key));
        }
        let mut texts: Vec<u64> = Vec::new();
        for read in self.engine.field_reads(&[broken]) {
            let Some(key) = read.object() else { continue };
            let key = bits(&evaluator.eval(&self.engine.space.terms, key, model))?;
            let value = evaluator.eval(&self.engine.space.terms, read.value, model);
            let Some(held) = self.held(model, &mut evaluator, read.field, &value, &mut texts)
            else {
                continue;
            };
            let fields = sketch.fields.entry(key).or_default();
            if !fields.iter().any(|&(field, _)| field == read.field) {
                fields.push((read.field, held));
            }
        }
        Some(sketch)
    }

    /// The class of an object, the most derived that fits.
    fn class_in(
        &mut self,
        model: &Assignment,
        evaluator: &mut Evaluator,
        object: Term,
    ) -> Option<ClassId> {
        let all: Vec<ClassId> =
            std::iter::once(self.subject.class).chain(self.relatives.iter().copied()).collect();
        let program = self.program;
        let is_concrete = |id: &ClassId| {
            program.class(*id).is_some_and(|class| !class.access_flags.is_abstract())
        };
        let mut best: Option<ClassId> = None;
        for &id in all.iter().filter(|id| is_concrete(id)) {
            let Ok(condition) = self.is_a(object, id) else { continue };
            let holds = evaluator.eval(&self.engine.space.terms, condition, model);
            let is_below = best.is_none_or(|best| program.is_subtype(id, best) == Some(true));
            if holds == Value::Bool(true) && is_below {
                best = Some(id);
            }
        }
        let below = |id: &&ClassId| program.is_subtype(**id, self.subject.class) == Some(true);
        best.or_else(|| all.iter().filter(below).copied().find(|id| is_concrete(id)))
    }

    fn held(
        &mut self,
        model: &Assignment,
        evaluator: &mut Evaluator,
        field: FieldId,
        value: &Value,
        texts: &mut Vec<u64>,
    ) -> Option<Held> {
        let (_, declared) = self.program.field(field);
        let names = &self.program.names;
        let ty = Type::parse(names.bytes(declared.descriptor), names)?;
        let bits = bits(value)?;
        if let Type { element: Element::Primitive(primitive), dimensions: 0 } = ty {
            return Some(Held::Literal(literal(primitive, bits)));
        }
        if bits == 0 || ty != Type::class(self.program.known.string) {
            return Some(Held::Object(bits));
        }
        let key = self.engine.space.terms.bitvec(31, bits);
        let number = self.engine.text_number_of(key);
        let number = self::bits(&evaluator.eval(&self.engine.space.terms, number, model))?;
        if let Some(units) = self.engine.text_of_number(number) {
            return Some(Held::Text(units.to_vec().into()));
        }
        // Texts that are only known to differ do.
        let at = texts.iter().position(|&text| text == number).unwrap_or(texts.len());
        if at == texts.len() {
            texts.push(number);
        }
        let units: Arc<[u16]> = [u16::from(b'a') + at as u16 % 26].into();
        Some(Held::Text(units))
    }
}

fn bits(value: &Value) -> Option<u64> {
    match *value {
        Value::Bool(value) => Some(u64::from(value)),
        Value::BitVec { bits, .. } => Some(bits),
        Value::Float32(value) => Some(u64::from(value.to_bits())),
        Value::Float64(value) => Some(value.to_bits()),
        Value::Element(..) | Value::Array(_) => None,
    }
}

fn literal(primitive: Primitive, bits: u64) -> Literal {
    match primitive {
        Primitive::Boolean => Literal::Boolean(bits & 1 == 1),
        Primitive::Byte => Literal::Byte(bits as i8),
        Primitive::Char => Literal::Char(bits as u16),
        Primitive::Short => Literal::Short(bits as i16),
        Primitive::Int => Literal::Int(bits as i32),
        Primitive::Long => Literal::Long(bits as i64),
        Primitive::Float => Literal::Float(bits as u32),
        Primitive::Double => Literal::Double(bits),
    }
}
