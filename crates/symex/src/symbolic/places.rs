//! Places in the heap: fields and array elements by number, what they hold, and access to them.

use program::ir::ArrayKind;
use program::{FieldId, Kind, Primitive, Type};
use rustc_hash::FxHashMap;
use smt::{Sort, Term};

use super::heap::{self, Place, Start};
use super::history;
use super::space::{FreshKind, Leaf, Space};
use super::{Engine, PlaceKey, State};

pub(super) struct PlaceInfo {
    name: String,
    pub(super) ty: Type,
    pub(super) is_final: bool,
    /// Of a static field whose class the two versions initialise differently: the version.
    version: &'static str,
}

impl PlaceInfo {
    pub(super) fn name(&self) -> &str {
        &self.name
    }
}

impl Engine<'_> {
    pub(super) fn field_place(&mut self, field: FieldId) -> Place {
        if let Some(&place) = self.place_numbers.get(&PlaceKey::Field(field)) {
            return place;
        }
        let (class, declared) = self.program.field(field);
        let names = &self.program.names;
        // Two versions may have fields of one name and of different types.
        let name = format!(
            "{}.{}:{}",
            self.program.class_text(class.name),
            names.text(declared.name),
            names.text(declared.descriptor)
        );
        let ty = Type::parse(names.bytes(declared.descriptor), names)
            .unwrap_or(Type::class(self.program.known.object));
        let is_final = declared.access_flags.is_final();
        let version =
            if declared.access_flags.is_static() { self.version_of(class.id) } else { "" };
        let (name, ty) = self.name_retyped(field).unwrap_or((name, ty));
        let info = PlaceInfo { name, ty, is_final, version };
        let place = self.add_place(PlaceKey::Field(field), info);
        self.place_fields.insert(place, field);
        place
    }

    pub(super) fn element_place(&mut self, kind: ArrayKind) -> Place {
        if let Some(&place) = self.place_numbers.get(&PlaceKey::Elements(kind)) {
            return place;
        }
        let name = format!("{}[]", kind.word());
        let ty = match kind {
            ArrayKind::Int => Type::primitive(Primitive::Int),
            ArrayKind::Long => Type::primitive(Primitive::Long),
            ArrayKind::Float => Type::primitive(Primitive::Float),
            ArrayKind::Double => Type::primitive(Primitive::Double),
            ArrayKind::Ref => Type::class(self.program.known.object),
            ArrayKind::ByteOrBoolean => Type::primitive(Primitive::Byte),
            ArrayKind::Char => Type::primitive(Primitive::Char),
            ArrayKind::Short => Type::primitive(Primitive::Short),
        };
        self.add_place(
            PlaceKey::Elements(kind),
            PlaceInfo { name, ty, is_final: false, version: "" },
        )
    }

    /// What a string says, by number.
    pub(super) fn text_place(&mut self) -> Place {
        if let Some(&place) = self.place_numbers.get(&PlaceKey::Text) {
            return place;
        }
        let ty = Type::primitive(Primitive::Int);
        self.add_place(
            PlaceKey::Text,
            PlaceInfo { name: "text".to_owned(), ty, is_final: true, version: "" },
        )
    }

    /// What a builder of strings holds, by number.
    pub(super) fn built_place(&mut self) -> Place {
        if let Some(&place) = self.place_numbers.get(&PlaceKey::Built) {
            return place;
        }
        let ty = Type::primitive(Primitive::Int);
        self.add_place(
            PlaceKey::Built,
            PlaceInfo { name: "built".to_owned(), ty, is_final: false, version: "" },
        )
    }

    pub(super) fn places_of_elements(&self) -> Vec<Place> {
        let numbers = self.place_numbers.iter();
        let mut found: Vec<Place> = numbers
            .filter(|(key, _)| matches!(key, PlaceKey::Elements(_)))
            .map(|(_, &place)| place)
            .collect();
        found.sort_unstable();
        found
    }

    fn add_place(&mut self, key: PlaceKey, info: PlaceInfo) -> Place {
        let place = self.places.len() as Place;
        self.places.push(info);
        self.place_numbers.insert(key, place);
        place
    }

    /// What places hold that a run has not written, and the space to say it in.
    pub(super) fn starts(&mut self) -> (Starts<'_>, &mut Space) {
        let starts = Starts {
            places: &self.places,
            static_starts: &self.static_starts,
            program: self.program,
            types: &self.numbered.by_number,
        };
        (starts, &mut self.space)
    }

    pub(super) fn narrow_sort(&self, ty: Type) -> Sort {
        narrow_sort(ty)
    }

    /// A narrow value as the operand stack holds it; an unknown reference gets its declared type.
    pub(super) fn widen(&mut self, narrow: Term, ty: Type) -> Term {
        if ty.kind() == Kind::Ref {
            self.assume_type(narrow, ty);
            return self.space.input(narrow);
        }
        widen_primitive(&mut self.space, narrow, ty)
    }

    /// A stack value as a variable of the type keeps it.
    pub(super) fn narrowed(&mut self, value: Term, ty: Type) -> Term {
        let program::Element::Primitive(primitive) = ty.element else { return value };
        if ty.dimensions > 0 {
            return value;
        }
        let terms = &mut self.space.terms;
        match primitive {
            Primitive::Boolean => {
                let one = terms.int(1);
                terms.bit_and(&[value, one])
            }
            Primitive::Byte => {
                let low = terms.extract(7, 0, value);
                terms.sign_extend(low, 32)
            }
            Primitive::Char => {
                let low = terms.extract(15, 0, value);
                terms.zero_extend(low, 32)
            }
            Primitive::Short => {
                let low = terms.extract(15, 0, value);
                terms.sign_extend(low, 32)
            }
            Primitive::Int | Primitive::Long | Primitive::Float | Primitive::Double => value,
        }
    }

    pub(super) fn zero(&mut self, kind: Kind) -> Term {
        zero(&mut self.space, kind)
    }

    /// A field of one object.
    pub(super) fn read_leaf(&mut self, state: &State, place: Place, leaf: Leaf) -> Term {
        let (ty, is_final) = (self.places[place as usize].ty, self.places[place as usize].is_final);
        match leaf {
            Leaf::Null => self.zero(ty.kind()),
            Leaf::Fresh(object) => match state.heap.read_fresh(place, object) {
                Some(value) => value,
                None => {
                    let (mut starts, space) = self.starts();
                    starts.of_fresh(space, place, object, &state.heap)
                }
            },
            Leaf::Input(key) => {
                let name = format!("field {}", self.places[place as usize].name);
                if let Some(&(_, held)) = self.boxes.get(&key).filter(|&&(of, _)| of == place) {
                    return held;
                }
                let fixed = self.imported_field(place, key);
                if let Some(value) = fixed.or_else(|| self.constant_field(place, key)) {
                    return value;
                }
                self.read_history(state, place, &name, is_final, key, None, ty)
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one read, in the words of the heap")]
    fn read_history(
        &mut self,
        state: &State,
        place: Place,
        name: &str,
        is_final: bool,
        key: Term,
        index: Option<Term>,
        ty: Type,
    ) -> Term {
        let loose = match ty.kind() {
            Kind::Ref => {
                let (starts, space) = self.starts();
                loose_of(&starts, space, ty, &state.heap)
            }
            Kind::Int | Kind::Long | Kind::Float | Kind::Double => Vec::new(),
        };
        let kind = history::Kind { name, narrow: narrow_sort(ty), is_final, loose: &loose };
        let mut unknown = Vec::new();
        let is_reference = ty.kind() == Kind::Ref;
        let mut widen = |space: &mut Space, narrow: Term| {
            if is_reference {
                unknown.push(narrow);
                space.input(narrow)
            } else {
                widen_primitive(space, narrow, ty)
            }
        };
        let value = state.heap.read_input(&mut self.space, place, kind, key, index, &mut widen);
        for narrow in unknown {
            self.assume_type(narrow, ty);
        }
        value
    }

    /// A field of whatever the reference is; the caller has dealt with null.
    pub(super) fn read_field(
        &mut self,
        state: &State,
        place: Place,
        reference: Term,
    ) -> Option<Term> {
        let leaves = self.space.leaves(reference)?;
        let mut cases = Vec::with_capacity(leaves.len());
        for &(guard, leaf) in leaves.iter() {
            if leaf == Leaf::Null || state.path.decide(&self.space, guard) == Some(false) {
                continue;
            }
            cases.push((guard, self.read_leaf(state, place, leaf)));
        }
        match self.space.choose(&cases) {
            Some(value) => Some(value),
            None => {
                let kind = self.places[place as usize].ty.kind();
                Some(self.zero(kind))
            }
        }
    }

    pub(super) fn write_field(
        &mut self,
        state: &mut State,
        place: Place,
        reference: Term,
        value: Term,
    ) -> Option<()> {
        let value = self.narrowed(value, self.places[place as usize].ty);
        let leaves = self.space.leaves(reference)?;
        for &(guard, leaf) in leaves.iter() {
            match leaf {
                Leaf::Null => {}
                Leaf::Fresh(object) => {
                    let before = self.read_leaf(state, place, leaf);
                    let after = self.space.terms.ite(guard, value, before);
                    state.heap.write_fresh(place, object, after);
                }
                Leaf::Input(key) => {
                    self.note_change(place);
                    state.heap.write_input(place, key, None, guard, value);
                }
            }
        }
        Some(())
    }

    /// Something that existed at the start was written to.
    pub(super) fn note_change(&mut self, place: Place) {
        let name = self.places[place as usize].name();
        if !self.changed.contains(name) {
            let name = name.to_owned();
            self.changed.insert(name);
        }
    }

    /// The length of whatever array the reference is.
    pub(super) fn length(&mut self, state: &State, reference: Term) -> Option<Term> {
        let leaves = self.space.leaves(reference)?;
        let mut cases = Vec::with_capacity(leaves.len());
        for &(guard, leaf) in leaves.iter() {
            if leaf == Leaf::Null || state.path.decide(&self.space, guard) == Some(false) {
                continue;
            }
            let length = match leaf {
                Leaf::Null => continue,
                Leaf::Fresh(object) => match self.space.fresh[object as usize].kind {
                    FreshKind::Array(length) => length,
                    FreshKind::Object | FreshKind::Implicit | FreshKind::Lambda(_) => return None,
                },
                Leaf::Input(key) => self.input_length(key),
            };
            cases.push((guard, length));
        }
        match self.space.choose(&cases) {
            Some(length) => Some(length),
            None => Some(self.space.terms.int(0)),
        }
    }

    fn input_length(&mut self, key: Term) -> Term {
        if let Some(length) = self.imported_length(key) {
            return length;
        }
        let narrow = self.space.apply("length", &[key], Sort::BitVec(31));
        self.space.terms.zero_extend(narrow, 32)
    }

    /// An element; the caller has dealt with null and the bounds.
    pub(super) fn read_element(
        &mut self,
        state: &State,
        kind: ArrayKind,
        array: Term,
        index: Term,
    ) -> Option<Term> {
        let place = self.element_place(kind);
        let leaves = self.space.leaves(array)?;
        let mut cases = Vec::with_capacity(leaves.len());
        for &(guard, leaf) in leaves.iter() {
            if leaf == Leaf::Null || state.path.decide(&self.space, guard) == Some(false) {
                continue;
            }
            let value = match leaf {
                Leaf::Null => continue,
                Leaf::Fresh(object) => self.read_cell(state, place, object, index)?,
                Leaf::Input(key) => match self.table_element(key, index) {
                    Some(value) => value,
                    None => {
                        let (name, ty) = self.element_name(kind, key);
                        self.read_history(state, place, &name, false, key, Some(index), ty)
                    }
                },
            };
            cases.push((guard, value));
        }
        match self.space.choose(&cases) {
            Some(value) => Some(value),
            None => Some(self.zero(kind.kind())),
        }
    }

    /// Elements of an array whose type is known have that type; else what the instruction says.
    fn element_name(&mut self, kind: ArrayKind, key: Term) -> (String, Type) {
        let place = self.element_place(kind);
        let mut ty = self.places[place as usize].ty;
        if let Some(known) = self.known_array_type(key)
            && let Some(component) = known.component()
            && component.kind() == kind.kind()
        {
            ty = component;
        }
        (format!("elements {}", kind.word()), narrow_like(self.places[place as usize].ty, ty))
    }

    pub(super) fn write_element(
        &mut self,
        state: &mut State,
        kind: ArrayKind,
        array: Term,
        index: Term,
        value: Term,
    ) -> Option<()> {
        let always = self.space.terms.bool(true);
        self.write_element_if(state, kind, array, index, value, always)
    }

    pub(super) fn write_element_if(
        &mut self,
        state: &mut State,
        kind: ArrayKind,
        array: Term,
        index: Term,
        value: Term,
        condition: Term,
    ) -> Option<()> {
        let place = self.element_place(kind);
        let leaves = self.space.leaves(array)?;
        for &(guard, leaf) in leaves.iter() {
            let guard = self.space.terms.and2(guard, condition);
            match leaf {
                Leaf::Null => {}
                Leaf::Fresh(object) => {
                    let value = self.narrow_element(object, kind, value);
                    self.write_cell(state, place, object, index, guard, value)?;
                }
                Leaf::Input(key) => {
                    let value = self.narrow_input_element(key, kind, value);
                    self.note_change(place);
                    state.heap.write_input(place, key, Some(index), guard, value);
                }
            }
        }
        Some(())
    }

    /// `bastore` keeps a byte, or one bit in an array of booleans.
    fn narrow_element(&mut self, object: u32, kind: ArrayKind, value: Term) -> Term {
        let class = self.space.fresh[object as usize].class;
        let component = self.numbered_type(class).and_then(Type::component);
        let fallback = {
            let place = self.element_place(kind);
            self.places[place as usize].ty
        };
        self.narrowed(value, component.unwrap_or(fallback))
    }

    fn narrow_input_element(&mut self, key: Term, kind: ArrayKind, value: Term) -> Term {
        let place = self.element_place(kind);
        let ty = self.places[place as usize].ty;
        let plain = self.narrowed(value, ty);
        if kind != ArrayKind::ByteOrBoolean {
            return plain;
        }
        let bit = self.narrowed(value, Type::primitive(Primitive::Boolean));
        let booleans = Type::primitive(Primitive::Boolean).array();
        let Some(booleans) = booleans else { return plain };
        let class = self.class_of_leaf(Leaf::Input(key));
        match self.is_subtype_term(class, booleans) {
            Some(is_boolean) => self.space.terms.ite(is_boolean, bit, plain),
            None => plain,
        }
    }
}

/// What places hold that the run did not write.
pub(super) struct Starts<'a> {
    pub(super) places: &'a [PlaceInfo],
    pub(super) static_starts: &'a FxHashMap<Place, Term>,
    pub(super) program: &'a program::Program,
    pub(super) types: &'a FxHashMap<u32, Type>,
}

/// The objects of the run that a place of that type may hold where its content is unknown.
fn loose_of(starts: &Starts<'_>, space: &Space, ty: Type, heap: &heap::Heap) -> Vec<u32> {
    let fits = |&object: &u32| {
        let Some(fresh) = space.fresh.get(object as usize) else { return true };
        if matches!(fresh.kind, FreshKind::Lambda(_)) {
            return true;
        }
        let class = starts.types.get(&fresh.class).copied();
        class.is_none_or(|class| {
            super::types::is_assignable(starts.program, class, ty) != Some(false)
        })
    };
    heap.loose().iter().copied().filter(fits).collect()
}

impl Start for Starts<'_> {
    fn zero(&mut self, space: &mut Space, place: Place) -> Term {
        zero(space, self.places[place as usize].ty.kind())
    }

    fn of_fresh(
        &mut self,
        space: &mut Space,
        place: Place,
        object: u32,
        heap: &heap::Heap,
    ) -> Term {
        let exposed = heap.exposed_at(object);
        let info = &self.places[place as usize];
        let is_implicit = matches!(
            space.fresh.get(object as usize).map(|fresh| &fresh.kind),
            Some(FreshKind::Implicit)
        );
        let when = match exposed {
            Some(when) if !info.is_final => when,
            Some(_) | None if is_implicit => space.terms.bitvec(64, 0),
            Some(_) | None => return zero(space, info.ty.kind()),
        };
        let address = space.fresh_address(object);
        let name = format!("field {}@run", info.name);
        let narrow = space.apply(&name, &[address, when], narrow_sort(info.ty));
        match info.ty.kind() {
            Kind::Ref => {
                let unknown = space.input(narrow);
                let loose = loose_of(self, space, info.ty, heap);
                space.or_loose(unknown, &name, &[address, when], &loose)
            }
            Kind::Int | Kind::Long | Kind::Float | Kind::Double => {
                widen_primitive(space, narrow, info.ty)
            }
        }
    }

    fn of_static(&mut self, space: &mut Space, place: Place, heap: &heap::Heap) -> Term {
        if let Some(&start) = self.static_starts.get(&place) {
            return start;
        }
        let info = &self.places[place as usize];
        let name = format!("static {}{}", info.version, info.name);
        let narrow = space.apply(&name, &[heap.epoch], narrow_sort(info.ty));
        match info.ty.kind() {
            Kind::Ref => {
                let unknown = space.input(narrow);
                let loose = loose_of(self, space, info.ty, heap);
                space.or_loose(unknown, &name, &[heap.epoch], &loose)
            }
            Kind::Int | Kind::Long | Kind::Float | Kind::Double => {
                widen_primitive(space, narrow, info.ty)
            }
        }
    }
}

/// `wanted` if its values are as wide as those of `held`, which says how elements are kept.
fn narrow_like(held: Type, wanted: Type) -> Type {
    if narrow_sort(held) == narrow_sort(wanted) { wanted } else { held }
}

fn narrow_sort(ty: Type) -> Sort {
    match (ty.element, ty.dimensions) {
        (program::Element::Primitive(primitive), 0) => match primitive {
            Primitive::Boolean => Sort::BitVec(1),
            Primitive::Byte => Sort::BitVec(8),
            Primitive::Char | Primitive::Short => Sort::BitVec(16),
            Primitive::Int => Sort::BitVec(32),
            Primitive::Long => Sort::BitVec(64),
            Primitive::Float => Sort::Float32,
            Primitive::Double => Sort::Float64,
        },
        (program::Element::Primitive(_) | program::Element::Class(_), _) => super::space::KEY,
    }
}

fn widen_primitive(space: &mut Space, narrow: Term, ty: Type) -> Term {
    let program::Element::Primitive(primitive) = ty.element else { return narrow };
    match primitive {
        Primitive::Boolean | Primitive::Char => space.terms.zero_extend(narrow, 32),
        Primitive::Byte | Primitive::Short => space.terms.sign_extend(narrow, 32),
        Primitive::Int | Primitive::Long | Primitive::Float | Primitive::Double => narrow,
    }
}

pub(super) fn zero(space: &mut Space, kind: Kind) -> Term {
    match kind {
        Kind::Int | Kind::Ref => space.terms.int(0),
        Kind::Long => space.terms.long(0),
        Kind::Float => space.terms.float32(0.0),
        Kind::Double => space.terms.float64(0.0),
    }
}
