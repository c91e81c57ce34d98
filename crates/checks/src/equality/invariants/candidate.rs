//! What may be true of the fields of every object of a class.

use program::{ClassId, FieldId, Kind, Primitive, Program, Type};
use smt::Sort;
use symex::symbolic::{Engine, FieldRead, State, Term};

use super::expected::{Expected, expected};

/// Pairs of a length and an array are tried up to this many.
const MOST_PAIRS: usize = 12;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Candidate {
    NotNull(FieldId),
    NotNegative(FieldId),
    Positive(FieldId),
    NotNan(FieldId),
    NotNegativeZero(FieldId),
    /// A field is what the object's other fields say.
    Expected(Expected),
    /// An array, if there is one, has at least so many elements.
    FitsInto {
        length: FieldId,
        array: FieldId,
    },
    /// An array, if there is one, has exactly so many elements.
    IsLengthOf {
        length: FieldId,
        array: FieldId,
    },
    /// An array, if there is one, has an element.
    NotEmpty(FieldId),
    /// A number is a place in an array, or below zero.
    IsPlaceIn {
        place: FieldId,
        array: FieldId,
    },
    /// A number is no larger than another.
    AtMost {
        less: FieldId,
        more: FieldId,
    },
}

/// What is worth trying of these fields.
pub(super) fn candidates(program: &Program, class: ClassId, fields: &[FieldId]) -> Vec<Candidate> {
    let mut found = Vec::new();
    let (mut lengths, mut arrays) = (Vec::new(), Vec::new());
    for &field in fields {
        let Some(ty) = field_type(program, field) else { continue };
        match ty.kind() {
            Kind::Ref => {
                found.push(Candidate::NotNull(field));
                if ty.dimensions > 0 {
                    arrays.push(field);
                }
            }
            Kind::Int => {
                if ty == Type::primitive(Primitive::Boolean) {
                    continue;
                }
                found.push(Candidate::NotNegative(field));
                found.push(Candidate::Positive(field));
                if ty == Type::primitive(Primitive::Int) {
                    lengths.push(field);
                }
            }
            Kind::Long => {
                found.push(Candidate::NotNegative(field));
                found.push(Candidate::Positive(field));
            }
            Kind::Float | Kind::Double => {
                found.push(Candidate::NotNan(field));
                found.push(Candidate::NotNegativeZero(field));
            }
        }
    }
    found.extend(expected(program, class, fields).into_iter().map(Candidate::Expected));
    let pairs = arrays.iter().flat_map(|&array| lengths.iter().map(move |&length| (length, array)));
    for (length, array) in pairs.take(MOST_PAIRS) {
        found.push(Candidate::FitsInto { length, array });
        found.push(Candidate::IsLengthOf { length, array });
    }
    found
}

/// What is worth trying besides, where more time is left for one class: places in arrays, and the order of numbers.
pub(super) fn relations(program: &Program, fields: &[FieldId]) -> Vec<Candidate> {
    let types: Vec<(FieldId, Type)> =
        fields.iter().filter_map(|&field| Some((field, field_type(program, field)?))).collect();
    let is_number = |ty: &Type| *ty == Type::primitive(Primitive::Int);
    let numbers = types.iter().filter(|(_, ty)| is_number(ty)).map(|&(field, _)| field);
    let numbers: Vec<FieldId> = numbers.collect();
    let arrays: Vec<FieldId> =
        types.iter().filter(|(_, ty)| ty.dimensions > 0).map(|&(field, _)| field).collect();
    let places = arrays
        .iter()
        .flat_map(|&array| numbers.iter().map(move |&place| Candidate::IsPlaceIn { place, array }));
    let ordered = numbers.iter().flat_map(|&less| {
        let others = numbers.iter().filter(move |&&more| more != less);
        others.map(move |&more| Candidate::AtMost { less, more })
    });
    let mut found: Vec<Candidate> = places.take(MOST_PAIRS).collect();
    found.extend(arrays.iter().map(|&array| Candidate::NotEmpty(array)));
    found.extend(ordered.take(MOST_PAIRS));
    found
}

pub(super) fn field_type(program: &Program, field: FieldId) -> Option<Type> {
    let (_, declared) = program.field(field);
    Type::parse(program.names.bytes(declared.descriptor), &program.names)
}

impl Candidate {
    fn fields(&self) -> (FieldId, Option<FieldId>) {
        match self {
            &Candidate::NotNull(field)
            | &Candidate::NotNegative(field)
            | &Candidate::Positive(field)
            | &Candidate::NotNan(field)
            | &Candidate::NotNegativeZero(field)
            | &Candidate::NotEmpty(field) => (field, None),
            &Candidate::IsPlaceIn { place, array } => (place, Some(array)),
            &Candidate::AtMost { less, more } => (less, Some(more)),
            Candidate::Expected(expected) => (expected.field, None),
            &Candidate::FitsInto { length, array } | &Candidate::IsLengthOf { length, array } => {
                (length, Some(array))
            }
        }
    }

    /// The same of a class of another program, by the names of its fields; nothing where it says more than that.
    pub(crate) fn named(
        &self,
        program: &Program,
    ) -> Option<(std::mem::Discriminant<Candidate>, String)> {
        if let Candidate::Expected(_) = self {
            return None;
        }
        let text = |id| {
            let (class, field) = program.field(id);
            let [name, ty] = [field.name, field.descriptor].map(|it| program.names.text(it));
            format!("{}.{name}:{ty}", program.class_text(class.name))
        };
        let (one, two) = self.fields();
        let two = two.map_or_else(String::new, text);
        Some((std::mem::discriminant(self), format!("{} {two}", text(one))))
    }

    pub(super) fn speaks_of(&self, field: FieldId) -> bool {
        let (one, two) = self.fields();
        one == field || two == Some(field)
    }

    /// Whether it may become false where one of these fields changes.
    pub(super) fn may_depend_on(&self, fields: &[FieldId]) -> bool {
        matches!(self, Candidate::Expected(_)) || fields.iter().any(|&field| self.speaks_of(field))
    }

    /// As a condition on an object in a state.
    pub(super) fn holds_in(
        &self,
        engine: &mut Engine<'_>,
        state: &State,
        object: Term,
    ) -> Option<Term> {
        if let Candidate::Expected(expected) = self {
            return expected.holds_in(engine, state, object);
        }
        let (one, two) = self.fields();
        let first = engine.field_value(state, one, object)?;
        let second = match two {
            Some(field) => Some(engine.field_value(state, field, object)?),
            None => None,
        };
        self.condition(engine, state, first, second)
    }

    /// As a condition on the object of a read, when it was read.
    pub(super) fn holds_at(&self, engine: &mut Engine<'_>, read: &FieldRead) -> Option<Term> {
        if let Candidate::Expected(expected) = self {
            let object = engine.object_of(read)?;
            let state = engine.start();
            return expected.holds_in(engine, &state, object);
        }
        let (one, two) = self.fields();
        let first = engine.beside(read, one);
        let second = two.map(|field| engine.beside(read, field));
        let state = engine.start();
        self.condition(engine, &state, first, second)
    }

    fn condition(
        &self,
        engine: &mut Engine<'_>,
        state: &State,
        first: Term,
        second: Option<Term>,
    ) -> Option<Term> {
        let zero = match engine.space.terms.sort(first) {
            Sort::BitVec(64) => engine.space.terms.long(0),
            _ => engine.space.terms.int(0),
        };
        Some(match self {
            Candidate::NotNull(_) => {
                let is_null = engine.is_null(first);
                engine.space.terms.not(is_null)
            }
            Candidate::NotNegative(_) => engine.space.terms.sle(zero, first),
            Candidate::Positive(_) => engine.space.terms.slt(zero, first),
            Candidate::NotNan(_) => {
                let is_nan = engine.is_nan(first)?;
                engine.space.terms.not(is_nan)
            }
            Candidate::NotNegativeZero(_) => {
                let terms = &mut engine.space.terms;
                let negative = match terms.sort(first) {
                    Sort::Float32 => terms.float32(-0.0),
                    _ => terms.float64(-0.0),
                };
                terms.ne(first, negative)
            }
            Candidate::Expected(_) => return None,
            Candidate::AtMost { .. } => engine.space.terms.sle(first, second?),
            Candidate::NotEmpty(_) => {
                let length = engine.length_of(state, first)?;
                let is_null = engine.is_null(first);
                let is_long = engine.space.terms.slt(zero, length);
                engine.space.terms.or2(is_null, is_long)
            }
            Candidate::FitsInto { .. }
            | Candidate::IsLengthOf { .. }
            | Candidate::IsPlaceIn { .. } => {
                let array = second?;
                let length = engine.length_of(state, array)?;
                let terms = &mut engine.space.terms;
                let fits = match self {
                    Candidate::FitsInto { .. } => terms.sle(first, length),
                    Candidate::IsPlaceIn { .. } => terms.slt(first, length),
                    _ => terms.eq(first, length),
                };
                let is_null = engine.is_null(array);
                engine.space.terms.or2(is_null, fits)
            }
        })
    }
}
