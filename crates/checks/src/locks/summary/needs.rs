//! What a record takes for granted about the class of an object that is handed in, and what is known of an
//! object by its class.
//!
//! A body that overrides another runs only on objects of its own class. Inside of a library that is
//! forgotten easily: whatever some subclass does would be said of all. So each record keeps the class
//! that one object must have, and is dropped where a caller hands over something else.

use program::{Class, ClassId, FieldId, MethodId};

use super::{Acquire, Call, Frame, Lock, Pair, PathId, Root, Step, Val, define, extend};
use crate::locks::context::parameter_classes;
use crate::locks::path::Path;

/// What the path from a parameter leads to is an object of this class, or of one below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Need {
    pub path: PathId,
    pub class: ClassId,
    /// The body that such an object runs, which classes below may override.
    pub runs: Option<MethodId>,
    /// How much was guessed because the class was open.
    pub doubt: u16,
}

/// What is known of a need where the object is handed over.
enum Met {
    Certainly,
    /// It is a need of the caller's then, as far as it can be said.
    Perhaps(Option<Need>),
}

/// The record is about objects of another class.
pub(super) struct NotMet;

impl Frame<'_> {
    /// What it takes for a call to run this body.
    pub(super) fn chosen_by(&self, call: &Call, target: MethodId, doubt: u16) -> Option<Need> {
        let receiver = call.arguments.first().copied().flatten().filter(|_| call.is_virtual)?;
        let program = self.context.universe.program;
        let is_any =
            receiver.class.is_some_and(|it| program.is_subtype(it, target.class) == Some(true));
        (!is_any && is_handed(&self.paths().of(receiver.path))).then_some(Need {
            path: receiver.path,
            class: target.class,
            runs: Some(target),
            doubt,
        })
    }

    /// That the object is of the class that it is said to be.
    pub(super) fn need_of(&self, object: Val) -> Option<Need> {
        let class = object.class?;
        is_handed(&self.paths().of(object.path)).then_some(Need {
            path: object.path,
            class,
            runs: None,
            doubt: 0,
        })
    }

    /// The needs of a callee's record in terms of this frame, and how much less is guessed because they are
    /// met; `Err` if what is handed over does not meet them.
    pub(super) fn lift_needs(
        &self,
        needs: &[Need],
        arguments: &[Option<Val>],
    ) -> Result<(Vec<Need>, u16), NotMet> {
        const MANY: usize = 3;
        let mut relief = 0;
        let mut lifted: Vec<Need> = self.need.into_iter().collect();
        for &need in needs {
            match self.lift_need(need, arguments)? {
                Met::Certainly => relief += need.doubt,
                Met::Perhaps(Some(need)) if !lifted.contains(&need) && lifted.len() < MANY => {
                    lifted.push(need);
                }
                Met::Perhaps(_) => {}
            }
        }
        Ok((lifted, relief))
    }

    fn lift_need(
        &self,
        Need { path, class, runs, doubt }: Need,
        arguments: &[Option<Val>],
    ) -> Result<Met, NotMet> {
        let named = Val { path, class: None, exact: false };
        let Some(mut object) = self.substitute(named, arguments) else {
            return Ok(Met::Perhaps(None));
        };
        let path = self.paths().of(object.path);
        if let (Root::Param(index), []) = (path.root, path.steps()) {
            let own = self.context.slice.methods[self.method];
            let declared = parameter_classes(self.context.universe, own);
            let declared = declared.get(usize::from(index)).copied().flatten();
            object.class = self.context.universe.narrower(object.class, declared);
        }
        if !self.may_be(object, class) || self.is_inside_other(object, class) {
            return Err(NotMet);
        }
        let program = self.context.universe.program;
        let is_sure = object.class.is_some_and(|it| program.is_subtype(it, class) == Some(true));
        if is_sure {
            let selected = object.class.zip(runs).map(|(of, body)| program.select_method(of, body));
            // A class between the two overrides it.
            let is_other = selected.is_some_and(|it| it.found().is_some() && it.found() != runs);
            return if is_other { Err(NotMet) } else { Ok(Met::Certainly) };
        }
        let need = Need { path: object.path, class, runs, doubt };
        Ok(Met::Perhaps(is_handed(&path).then_some(need)))
    }

    /// Whether the value may be an object of the class: two classes of which neither is below the other
    /// have no object in common.
    fn may_be(&self, val: Val, class: ClassId) -> bool {
        let program = self.context.universe.program;
        let Some(known) = val.class else { return true };
        let is_below = |a, b| program.is_subtype(a, b) != Some(false);
        let is_interface = |id| program.class(id).is_none_or(Class::is_interface);
        // A lambda is of no class that has a name.
        if val.exact && !is_interface(known) {
            return is_below(known, class);
        }
        is_below(known, class)
            || is_below(class, known)
            || is_interface(known)
            || is_interface(class)
    }

    /// Whether the value is inside of an object of the library that was given objects of other classes.
    fn is_inside_other(&self, val: Val, class: ClassId) -> bool {
        let path = self.paths().of(val.path);
        let [.., Step::Field(whole), Step::Field(part)] = path.steps() else { return false };
        let inside = self.context.fields.inner(*whole, *part);
        let is_one =
            |&it: &ClassId| self.may_be(Val { class: Some(it), exact: true, ..val }, class);
        !inside.is_empty() && !inside.iter().any(is_one)
    }

    /// Whether the field that the path ends with holds objects of certain classes, and none of them is one
    /// that the value is said to have.
    pub(super) fn is_of_other_class(&self, val: Val) -> bool {
        let Some(Step::Field(field)) = self.paths().of(val.path).last() else { return false };
        let held = self.context.fields.of(field).map_or(&[][..], |facts| &facts.classes);
        !held.is_empty()
            && val.class.is_some_and(|class| {
                let is_one =
                    |&it: &ClassId| self.may_be(Val { class: Some(it), exact: true, ..val }, class);
                !held.iter().any(is_one)
            })
    }

    pub(super) fn narrow_acquire(&self, acquire: &mut Acquire) {
        for &need in &acquire.needs {
            self.narrow(&mut acquire.lock, need);
        }
    }

    pub(super) fn narrow_pair(&self, pair: &mut Pair) {
        for &need in &pair.needs {
            self.narrow(&mut pair.held, need);
            self.narrow(&mut pair.wanted, need);
        }
    }

    /// The lock of the object itself is one of the class that is needed.
    fn narrow(&self, lock: &mut Lock, need: Need) {
        if lock.val.path == need.path && !lock.val.exact {
            lock.val.class = self.context.universe.narrower(lock.val.class, Some(need.class));
        }
    }

    /// What a field of an object of this class always leads to.
    pub(super) fn fixed_by_class(&self, object: Val, field: FieldId) -> Option<PathId> {
        let found = self.context.fields.by_class(self.context.universe, object.class?, field)?;
        let steps = self.paths().of(found);
        let mut at = object.path;
        for &step in steps.steps() {
            at = extend(self.paths(), at, step)?;
        }
        Some(define(self.context, at))
    }

    /// The same for a field of the frame's own object.
    pub(super) fn settle_own(&self, path: PathId) -> PathId {
        let own = self.context.slice.methods[self.method];
        let is_static = self.context.universe.program.method(own).1.access_flags.is_static();
        let full = self.paths().of(path);
        let (Root::Param(0), [Step::Field(field), rest @ ..], false) =
            (full.root, full.steps(), is_static)
        else {
            return path;
        };
        let this = Val { path: self.paths().root(full.root), class: Some(own.class), exact: false };
        let mut at = self.fixed_by_class(this, *field);
        for &step in rest {
            at = at.and_then(|at| extend(self.paths(), at, step));
        }
        at.unwrap_or(path)
    }
}

/// Whether the path leads from a parameter through fields.
fn is_handed(path: &Path) -> bool {
    matches!(path.root, Root::Param(_))
        && path.steps().iter().all(|step| matches!(step, Step::Field(_)))
}
