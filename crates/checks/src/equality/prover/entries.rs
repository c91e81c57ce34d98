//! Entries of maps that are of no analysed class: they say what `Map.Entry` documents for all who implement
//! it, of the keys and values that they and others give.

use program::{ClassId, MethodId};
use symex::symbolic::{Outcome, State, Term};

use super::strangers::kinds;
use super::{Proved, Prover, open};
use crate::verdict::GapKind;

const HALVES: [&str; 2] = ["getKey", "getValue"];

/// The states in which an object is an entry of no analysed class.
struct Entry {
    kind: ClassId,
    is_one: Term,
    state: State,
}

impl Prover<'_, '_> {
    /// The interface, where the subject is of its kind or asks for it.
    pub(super) fn entry_kind(&self) -> Option<ClassId> {
        let kind = self.program.find_class_text("java/util/Map$Entry")?;
        kinds(self.program, self.subject).contains(&kind).then_some(kind)
    }

    /// That `equals` of an object of no known class gives this answer. It may give any, unless the object
    /// is an entry.
    pub(super) fn foreign_equals(
        &mut self,
        [asked, other]: [Term; 2],
        wanted: bool,
        cases: &[(Term, MethodId)],
        state: &State,
    ) -> Proved<Term> {
        let anything = self.foreign(&format!("some other equals says {wanted}"), cases, state);
        let Some(entry) = self.entry(asked, cases, state)? else { return Ok(anything) };
        let are_both = self.is_a(other, entry.kind)?;
        let mut both = self.given(&entry.state, are_both);
        let mut answers = Vec::with_capacity(HALVES.len() + 1);
        for name in HALVES {
            let Some((state, mine)) = self.half(name, asked, entry.kind, &both)? else { continue };
            let Some((state, theirs)) = self.half(name, other, entry.kind, &state)? else {
                continue;
            };
            let same = self.utility("equals", "(Ljava/lang/Object;Ljava/lang/Object;)Z")?;
            let outcome = self.call(same, &[mine, theirs], &state);
            answers.push(self.returns(&outcome, wanted));
            both = self.after(&both, &outcome);
        }
        let says = if wanted {
            self.engine.space.terms.and(&answers)
        } else {
            let is_none = self.engine.space.terms.not(are_both);
            let refused = self.given(&entry.state, is_none);
            answers.push(self.engine.guard(&refused));
            self.engine.space.terms.or(&answers)
        };
        Ok(self.unless_entry(&entry, anything, says))
    }

    /// That `hashCode` of an object of no known class gives another number than this one, if that is given.
    pub(super) fn foreign_hash(
        &mut self,
        asked: Term,
        (returns, number): (Term, Term),
        cases: &[(Term, MethodId)],
        state: &State,
    ) -> Proved<Term> {
        let anything = self.foreign("some other object's hash differs", cases, state);
        let Some(entry) = self.entry(asked, cases, state)? else { return Ok(anything) };
        let hash = self.utility("hashCode", "(Ljava/lang/Object;)I")?;
        let mut all = vec![returns];
        let mut parts = Vec::with_capacity(HALVES.len());
        for name in HALVES {
            let Some((state, half)) = self.half(name, asked, entry.kind, &entry.state)? else {
                continue;
            };
            let outcome = self.call(hash, &[half], &state);
            let (there, part) = self.returned(&outcome);
            all.push(there);
            parts.push(part);
        }
        let terms = &mut self.engine.space.terms;
        let documented = terms.bit_xor(&parts);
        all.push(terms.ne(documented, number));
        let differs = terms.and(&all);
        Ok(self.unless_entry(&entry, anything, differs))
    }

    fn entry(
        &mut self,
        object: Term,
        cases: &[(Term, MethodId)],
        state: &State,
    ) -> Proved<Option<Entry>> {
        let Some(kind) = self.entry_kind() else { return Ok(None) };
        let is_one = self.is_a(object, kind)?;
        let known: Vec<Term> = cases.iter().map(|&(condition, _)| condition).collect();
        let known = self.engine.space.terms.or(&known);
        let unknown = self.engine.space.terms.not(known);
        let state = self.given(state, is_one);
        let state = self.given(&state, unknown);
        self.engine.assumptions.insert(
            "equals and hashCode of objects of other classes that are java.util.Map$Entry do what that \
             interface says"
                .to_owned(),
        );
        Ok(Some(Entry { kind, is_one, state }))
    }

    fn unless_entry(&mut self, entry: &Entry, anything: Term, says: Term) -> Term {
        let terms = &mut self.engine.space.terms;
        let is_none = terms.not(entry.is_one);
        let anything = terms.and2(anything, is_none);
        terms.or2(anything, says)
    }

    /// The key or the value of an entry, and the state in which it gave that.
    fn half(
        &mut self,
        name: &str,
        object: Term,
        kind: ClassId,
        state: &State,
    ) -> Proved<Option<(State, Term)>> {
        let method = self.method_of(kind, name, "()Ljava/lang/Object;")?;
        let Outcome { returned, .. } =
            self.engine.call_virtual(method, vec![object], state.clone());
        Ok(returned.and_then(|(state, value)| Some((state, value?))))
    }

    /// A method of `java.util.Objects`.
    fn utility(&self, name: &str, descriptor: &str) -> Proved<MethodId> {
        match self.program.find_class_text("java/util/Objects") {
            Some(class) => self.method_of(class, name, descriptor),
            None => open(GapKind::Unsupported, "java.util.Objects is missing from the class path"),
        }
    }

    fn method_of(&self, class: ClassId, name: &str, descriptor: &str) -> Proved<MethodId> {
        let names = &self.program.names;
        let (name, descriptor) =
            (names.intern(name.as_bytes()), names.intern(descriptor.as_bytes()));
        let owner = self.program.class_name(class);
        match self.program.resolve_method(owner, name, descriptor).found() {
            Some(method) => Ok(method),
            None => open(GapKind::Unsupported, "a method of the library is missing"),
        }
    }
}
