//! Which fields a term speaks of: so that what is known of a class can be said of the objects at hand.

use program::FieldId;
use rustc_hash::FxHashMap;
use smt::{Op, Sort, Term};

use super::space::{FreshKind, Leaf};
use super::{Engine, State};

/// A field of an object that existed at the start, at the start or after a call to the outside.
#[derive(Debug, Clone)]
pub struct FieldRead {
    pub field: FieldId,
    pub value: Term,
    term: Term,
    /// The object's key and, where code outside may have written the field, when.
    at: Vec<Term>,
}

impl FieldRead {
    /// The key of the object, if the field was read as it was at the start.
    pub fn object(&self) -> Option<Term> {
        match self.at[..] {
            [key] => Some(key),
            [..] => None,
        }
    }

    /// The key of the object, whenever the field was read.
    pub fn owner(&self) -> Option<Term> {
        self.at.first().copied()
    }
}

impl Engine<'_> {
    /// What the string of a key says, by number.
    pub fn text_number_of(&mut self, key: Term) -> Term {
        self.space.apply("text", &[key], Sort::BitVec(32))
    }

    /// The text of a number, if the code names it.
    pub fn text_of_number(&self, number: u64) -> Option<&[u16]> {
        self.space.texts.get(usize::try_from(number).ok()?).map(|text| &text[..])
    }

    /// The fields in the cones of these terms, in the order of the terms.
    pub fn field_reads(&mut self, roots: &[Term]) -> Vec<FieldRead> {
        let name_of = |place: u32| format!("field {}", self.places[place as usize].name());
        let fields: FxHashMap<String, FieldId> =
            self.place_fields.iter().map(|(&place, &field)| (name_of(place), field)).collect();
        let cone = self.space.terms.cone(roots, &mut smt::Marks::new());
        let mut found = Vec::new();
        for term in cone {
            let Op::Apply(function) = self.space.terms.op(term) else { continue };
            let name = self.space.terms.function_name(function);
            let Some(&field) = fields.get(name.trim_end_matches('@')) else { continue };
            let at = self.space.terms.args(term).to_vec();
            let place = self.field_place(field);
            let ty = self.place_type(place);
            let value = self.widen(term, ty);
            found.push(FieldRead { field, value, term, at });
        }
        found
    }

    /// The object of a field that was read as it was at the start.
    pub fn object_of(&mut self, read: &FieldRead) -> Option<Term> {
        let key = read.object()?;
        Some(self.space.input(key))
    }

    /// Another field of the same object, at the same time.
    pub fn beside(&mut self, read: &FieldRead, field: FieldId) -> Term {
        let place = self.field_place(field);
        let (ty, is_final) = (self.place_type(place), self.places[place as usize].is_final);
        let name = self.places[place as usize].name().to_owned();
        let narrow = self.narrow_sort(ty);
        let value = match (&read.at[..], is_final) {
            (&[key], _) | (&[key, ..], true) => {
                self.space.apply(&format!("field {name}"), &[key], narrow)
            }
            (at, _) => self.space.apply(&format!("field {name}@"), at, narrow),
        };
        self.widen(value, ty)
    }

    /// The references through which a value reads what may change while the object `own` itself does
    /// not: non-final fields and contents of other objects. Nothing if it also depends on static fields
    /// or on calls to the outside.
    pub fn foreign_reads(&mut self, value: Term, own: Term) -> Option<Vec<Term>> {
        let fields: FxHashMap<FieldId, bool> = self
            .place_fields
            .iter()
            .map(|(&place, &field)| (field, self.places[place as usize].is_final))
            .collect();
        let mut found = Vec::new();
        let mut of_fields = rustc_hash::FxHashSet::default();
        for read in self.field_reads(&[value]) {
            let reference = self.space.input(read.at[0]);
            if read.at.len() > 1 {
                return None;
            }
            if !fields[&read.field] && reference != own {
                found.push(reference);
            }
            of_fields.insert(read.term);
        }
        let cone = self.space.terms.cone(&[value], &mut smt::Marks::new());
        for term in cone {
            let Op::Apply(function) = self.space.terms.op(term) else { continue };
            if of_fields.contains(&term) {
                continue;
            }
            let name = self.space.terms.function_name(function).to_owned();
            if name.starts_with("static ") {
                return None;
            }
            if is_fixed(&name) {
                continue;
            }
            for at in 0..self.space.terms.args(term).len() {
                let argument = self.space.terms.args(term)[at];
                match self.space.terms.sort(argument) {
                    super::space::KEY => found.push(self.space.input(argument)),
                    // When it was: after a call to the outside, unless at the start.
                    super::space::TRACE if self.space.terms.as_const(argument).is_none() => {
                        return None;
                    }
                    Sort::BitVec(32) if self.is_reference(argument) => found.push(argument),
                    _ => {}
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        Some(found)
    }

    /// Whether a 32-bit term is a reference, as far as its shape shows.
    fn is_reference(&self, term: Term) -> bool {
        let terms = &self.space.terms;
        match terms.op(term) {
            Op::Ite => {
                let args = terms.args(term);
                self.is_reference(args[1]) || self.is_reference(args[2])
            }
            Op::ZeroExtend => terms.sort(terms.args(term)[0]) == super::space::KEY,
            _ => false,
        }
    }

    /// Whether two objects that existed at the start have the same runtime type.
    pub fn is_same_class(&mut self, one: Term, two: Term) -> Term {
        let classes = [one, two].map(|reference| {
            let key = self.key(reference);
            self.class_of_leaf(Leaf::Input(key))
        });
        self.space.terms.eq(classes[0], classes[1])
    }

    /// The key of an object that existed at the start, by which its fields are known.
    pub fn key(&mut self, reference: Term) -> Term {
        self.space.terms.extract(30, 0, reference)
    }

    /// What a field of an object holds in a state; nothing if the object may be one of too many.
    pub fn field_value(&mut self, state: &State, field: FieldId, object: Term) -> Option<Term> {
        let place = self.field_place(field);
        self.read_field(state, place, object)
    }

    /// The length of an array, which never changes.
    pub fn length_of(&mut self, state: &State, array: Term) -> Option<Term> {
        self.length(state, array)
    }

    /// Objects of the class or one below it that this engine's runs made.
    pub fn objects_made(&mut self, class: program::ClassId) -> Vec<Term> {
        let ty = program::Type::class(self.program.class_name(class));
        let mut found = Vec::new();
        for object in 0..self.space.fresh.len() {
            let fresh = &self.space.fresh[object];
            if !matches!(fresh.kind, FreshKind::Object) {
                continue;
            }
            let made = self.numbered_type(fresh.class);
            if made.is_some_and(|made| self.is_assignable(made, ty) != Some(false)) {
                found.push(self.space.leaf_ref(Leaf::Fresh(object as u32)));
            }
        }
        found
    }

    /// How many objects this engine's runs made.
    pub fn n_made(&self) -> usize {
        self.space.fresh.len()
    }

    /// Whether no object made since then can change: lambdas, strings and objects with final fields.
    pub fn is_made_fixed(&self, since: usize) -> bool {
        self.space.fresh[since..].iter().all(|made| match made.kind {
            FreshKind::Lambda(_) | FreshKind::Implicit => true,
            FreshKind::Array(_) => false,
            FreshKind::Object => self.numbered_type(made.class).is_some_and(|ty| self.is_fixed(ty)),
        })
    }

    fn is_fixed(&self, ty: program::Type) -> bool {
        let program::Type { element: program::Element::Class(name), dimensions: 0 } = ty else {
            return false;
        };
        let Some(class) = self.program.find_class(name).and_then(|id| self.program.class(id))
        else {
            return false;
        };
        let ancestry = self.program.ancestry(class);
        let mut all = ancestry.superclasses.iter().filter_map(|&id| self.program.class(id));
        let has_only_final = |class: &program::Class| {
            let flags = class.fields().map(|(_, field)| field.access_flags);
            flags.into_iter().all(|flags| flags.is_static() || flags.is_final())
        };
        name == self.program.known.string || ancestry.missing.is_empty() && all.all(has_only_final)
    }

    /// What a static final field holds, where the initialiser says.
    pub fn static_constant(&mut self, field: FieldId) -> Option<Term> {
        let place = self.field_place(field);
        self.settle_static(place, field);
        self.static_starts.get(&place).copied()
    }

    /// Sets a field to zero or null, as it is in a new object.
    pub fn clear_field(&mut self, state: &mut State, field: FieldId, object: Term) -> Option<()> {
        let place = self.field_place(field);
        let kind = self.place_type(place).kind();
        let zero = self.zero(kind);
        self.write_field(state, place, object, zero)
    }

    /// Sets a field to a value of its kind.
    pub fn set_field(
        &mut self,
        state: &mut State,
        field: FieldId,
        object: Term,
        value: Term,
    ) -> Option<()> {
        let place = self.field_place(field);
        self.write_field(state, place, object, value)
    }

    /// Whether a float or double is not a number.
    pub fn is_nan(&mut self, value: Term) -> Option<Term> {
        match self.space.terms.sort(value) {
            Sort::Float32 | Sort::Float64 => {
                let same = self.space.terms.float_eq(value, value);
                Some(self.space.terms.not(same))
            }
            Sort::Bool | Sort::BitVec(_) | Sort::Uninterpreted(_) | Sort::Array(_) => None,
        }
    }
}

/// Functions of values, of what never changes about an object, or of the result of another function.
fn is_fixed(name: &str) -> bool {
    matches!(
        name,
        "class" | "class name" | "length" | "fits" | "identity hash" | "hash" | "interned"
    ) || name == "text"
        || name.starts_with("text ")
        || name.starts_with("is ")
        || name.ends_with(" hash")
}
