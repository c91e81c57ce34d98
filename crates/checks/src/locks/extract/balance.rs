//! Locks of `java.util.concurrent` that a body does not give back on every way out of it, or gives back
//! without having taken them. Monitors are balanced by the compiler.

use program::ir::{Block, Instruction, InvokeKind, Op, Value};

use super::{Action, Extraction, give_back};
use crate::locks::facts::{Held, SiteSet};
use crate::locks::path::{Lock, Mode};
use crate::locks::primitives::Primitive;

impl Extraction<'_> {
    fn note_unbalanced(&mut self, pc: u16, lock: Option<Lock>) {
        if let (None, Some(lock)) = (&self.facts.unbalanced, lock) {
            self.facts.unbalanced = Some((pc, lock));
        }
    }

    /// A lock among the sites that is no monitor.
    fn explicit_lock(&self, sites: SiteSet) -> Option<Lock> {
        let sites = sites.iter().filter_map(|site| self.facts.sites.get(site));
        sites.flat_map(|site| &site.locks).find(|lock| lock.mode != Mode::Monitor).copied()
    }

    /// Looks at an instruction before which this is held.
    pub(super) fn weigh_instruction(
        &mut self,
        block: &Block,
        instruction: &Instruction,
        held: Held,
        action: Option<&Action>,
    ) {
        let given_back = action.map_or(&[][..], |it| &it.gives_back);
        if !given_back.is_empty() && !given_back.iter().any(|&site| held.may.contains(site)) {
            let sites = given_back.iter().filter_map(|&site| self.facts.sites.get(site));
            let lock = sites.flat_map(|site| &site.locks).next().copied();
            self.note_unbalanced(instruction.pc, lock.filter(|it| it.mode != Mode::Monitor));
        }
        self.weigh_count(instruction.pc, given_back, held);
        if self.may_throw(block, instruction) && !self.catches_all(block) {
            let mut thrown = held;
            give_back(&mut thrown, given_back);
            let lock = self.explicit_lock(thrown.may);
            self.note_unbalanced(instruction.pc, lock);
        }
    }

    /// What was taken twice is given back once here: how often it is held then is not counted.
    fn weigh_count(&mut self, pc: u16, given_back: &[usize], held: Held) {
        let is_taken = |site: &&usize| held.may.contains(**site);
        let is_certain = given_back.iter().any(|&site| held.must.contains(site));
        if is_certain && given_back.iter().filter(is_taken).count() > 1 {
            let sites = given_back.iter().filter_map(|&site| self.facts.sites.get(site));
            let lock = sites.flat_map(|site| &site.locks).next().copied();
            self.note_unbalanced(pc, lock.filter(|it| it.mode != Mode::Monitor));
        }
    }

    /// Looks at what is held at returns: what all of them leave held, callers know.
    pub(super) fn weigh_returns(&mut self, pc: u16, always: SiteSet, ever: SiteSet) {
        let mut open = ever;
        for site in always.iter() {
            if self.facts.sites.get(site).is_some_and(|it| it.locks.len() == 1) {
                open.remove(site);
            }
        }
        let lock = self.explicit_lock(open);
        self.note_unbalanced(pc, lock);
    }

    pub(super) fn weigh_throw(&mut self, pc: u16, block: &Block, held: Held) {
        if !self.catches_all(block) {
            let lock = self.explicit_lock(held.may);
            self.note_unbalanced(pc, lock);
        }
    }

    /// What is given back here and taken elsewhere: callers know if every way through the body does it.
    pub(super) fn weigh_releases(&mut self) {
        if self.body().blocks.len() > 1 {
            let lock = self.facts.left_released.first().copied();
            self.note_unbalanced(0, lock);
        }
    }

    /// Whether the instruction may end by an exception: not if the object is there for certain, nor to
    /// leave a lock that is held.
    pub(super) fn may_throw(&self, block: &Block, instruction: &Instruction) -> bool {
        let op = &instruction.op;
        match op {
            Op::GetField(_, object) | Op::PutField(_, object, _) => {
                !self.is_there(block, instruction, *object)
            }
            Op::GetStatic(_)
            | Op::PutStatic(..)
            | Op::New(_)
            | Op::MonitorExit(_)
            | Op::InvokeDynamic { .. } => false,
            Op::Invoke { method, .. } => !matches!(
                self.primitive(method),
                Some(
                    Primitive::Unlock
                        | Primitive::Unstamp(_)
                        | Primitive::ReadLock
                        | Primitive::WriteLock
                        | Primitive::Condition
                        | Primitive::Notify { .. }
                )
            ),
            Op::Const(_)
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::NewArray { .. }
            | Op::NewMultiArray { .. }
            | Op::ArrayLength(_)
            | Op::ArrayLoad { .. }
            | Op::ArrayStore { .. }
            | Op::CheckCast(..)
            | Op::InstanceOf(..)
            | Op::MonitorEnter(_) => op.can_throw(),
        }
    }

    /// Whether the object is `this`, or was used before in the same block.
    fn is_there(&self, block: &Block, at: &Instruction, object: Value) -> bool {
        let program = self.universe().program;
        let is_static = program.method(self.scene.method).1.access_flags.is_static();
        let this = self.body().parameters().next().filter(|_| !is_static);
        let before = self.body().instructions_of(block).iter().take_while(|it| it.pc < at.pc);
        let uses = |op: &Op| match op {
            Op::GetField(_, used) | Op::PutField(_, used, _) | Op::MonitorEnter(used) => {
                *used == object
            }
            Op::Invoke { kind, arguments, .. } => {
                *kind != InvokeKind::Static && self.body().list(*arguments).first() == Some(&object)
            }
            Op::Const(_)
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::New(_)
            | Op::NewArray { .. }
            | Op::NewMultiArray { .. }
            | Op::ArrayLength(_)
            | Op::ArrayLoad { .. }
            | Op::ArrayStore { .. }
            | Op::GetStatic(_)
            | Op::PutStatic(..)
            | Op::InvokeDynamic { .. }
            | Op::CheckCast(..)
            | Op::InstanceOf(..)
            | Op::MonitorExit(_) => false,
        };
        this == Some(object) || before.map(|it| &it.op).any(uses)
    }

    fn catches_all(&self, block: &Block) -> bool {
        let throwable = self.universe().program.known.throwable;
        let handlers = self.body().handlers_of(block).iter();
        handlers.map(|it| it.catch_type).any(|it| it.is_none_or(|class| class == throwable))
    }
}
