//! Objects of one class as their constructors leave them: for whoever wants to know what every object of
//! the class is like, where only known code makes any.

use program::MethodId;
use smt::Term;

use super::{Engine, Outcome, State};

/// A new object, and the states in which others may first ask it something.
pub struct Built {
    pub object: Term,
    pub states: Vec<State>,
}

impl Engine<'_> {
    /// Takes note that a constructor begins; nothing if it is another one's first step.
    pub(super) fn begin_building(&mut self, method: MethodId, arguments: &[Term]) -> Option<Term> {
        let is_constructor = self.program.method(method).1.name == self.program.known.init;
        let &object = arguments.first()?;
        let is_new = self.watched == Some(method.class) && !self.building.contains(&object);
        if !is_constructor || !is_new {
            return None;
        }
        self.building.push(object);
        Some(object)
    }

    /// What the constructor left: when it returned, when code outside could get hold of the object before,
    /// and when it threw if others know the object by then.
    pub(super) fn end_building(&mut self, new: Option<Term>, n_events: usize, outcome: &Outcome) {
        let Some(object) = new else { return };
        self.building.retain(|&other| other != object);
        let since: Vec<(Vec<Term>, State)> = self.events[n_events..]
            .iter()
            .map(|event| (event.arguments.clone(), event.state.clone()))
            .collect();
        let mut states = Vec::new();
        for (arguments, state) in since {
            if self.shows(&state, &arguments, object) {
                states.push(state);
            }
        }
        if let Some((state, _)) = &outcome.thrown
            && (!states.is_empty() || self.shows(state, &[], object))
        {
            states.push(state.clone());
        }
        states.extend(outcome.returned.iter().map(|(state, _)| state.clone()));
        self.built.push(Built { object, states });
    }

    /// The methods whose code was looked at.
    pub fn followed(&self) -> impl Iterator<Item = MethodId> + '_ {
        self.bodies.keys().copied()
    }

    /// Whether code outside was called, which may call anything.
    pub fn calls_outside(&self) -> bool {
        !self.events.is_empty()
    }

    /// The static fields of a class as they are before its initialiser runs.
    pub fn clear_statics(&mut self, state: &mut State, class: program::ClassId) {
        let Some(class) = self.program.class(class) else { return };
        for (id, field) in class.fields() {
            let is_constant = class.constant_value(id).is_some();
            if field.access_flags.is_static() && !is_constant {
                let place = self.field_place(id);
                let kind = self.place_type(place).kind();
                let zero = self.zero(kind);
                state.heap.statics.insert(place, zero);
            }
        }
    }
}
