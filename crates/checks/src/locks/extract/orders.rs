//! Whether it pays to walk a body for the order in which it locks.

use program::ir::{BinaryOp, Condition, InvokeKind, Op, Terminator, Value};

use super::Extraction;
use crate::locks::order::{Places, Situation, Worlds, find_situations};

impl Extraction<'_> {
    /// Finds the situations of the body where several objects may be locked or keys are compared.
    pub(super) fn find_orders(&mut self) {
        let has_choices = self.facts.sites.iter().any(|site| site.locks.len() > 1);
        let mut blocks = self.scene.body.blocks.iter();
        let branches = blocks.any(|block| matches!(block.terminator, Terminator::If { .. }));
        if !(branches && (has_choices || self.compares()) || self.picks()) {
            return;
        }
        let places = Places { sites: &self.receivers, held: &self.held_at };
        let mut situations = find_situations(self.scene, self.values, &places);
        let everywhere = Worlds::all(situations.comparisons.len());
        let all = std::mem::take(&mut situations.all);
        let (mut start, mut kept) = (0, Vec::new());
        while start < all.len() {
            let pc = all[start].pc;
            let end = start + all[start..].partition_point(|it| it.pc == pc);
            let says_nothing = |it: &Situation| it.worlds == everywhere && self.is_plain(it);
            if !matches!(&all[start..end], [only] if says_nothing(only)) {
                kept.extend_from_slice(&all[start..end]);
            }
            start = end;
        }
        situations.all = kept;
        self.facts.situations = situations;
    }

    /// Whether nothing is known in the situation that the facts do not say.
    fn is_plain(&self, situation: &Situation) -> bool {
        let is_choice =
            |site: u8| self.facts.sites.get(usize::from(site)).is_some_and(|it| it.locks.len() > 1);
        let arguments = || {
            let at = self.facts.events.iter().find(|event| event.pc == situation.pc);
            at.into_iter().flat_map(|event| match &event.what {
                crate::locks::facts::What::Call(call) => call.arguments.to_vec(),
                crate::locks::facts::What::Acquire(_)
                | crate::locks::facts::What::Init(_)
                | crate::locks::facts::What::Wait { .. }
                | crate::locks::facts::What::Notify { .. }
                | crate::locks::facts::What::Join(_)
                | crate::locks::facts::What::Spawn(_) => Vec::new(),
            })
        };
        let is_news = arguments().zip(&situation.given).any(|(argument, seen)| {
            seen.is_some_and(|seen| argument.is_some_and(|it| it.path != seen.val.path))
        });
        let locks_choice =
            self.facts.sites.iter().any(|site| site.pc == situation.pc && site.locks.len() > 1);
        !is_news && !locks_choice && !situation.held.iter().any(|(site, _)| is_choice(*site))
    }

    /// Whether the body locks what a call of its own kind picks from several objects.
    fn picks(&self) -> bool {
        if self.receivers.is_empty() {
            return false;
        }
        let body = self.scene.body;
        let is_ref = |it: &Value| body.kind(*it) == program::Kind::Ref;
        body.instructions.iter().any(|instruction| match instruction.op {
            Op::Invoke { kind: InvokeKind::Static | InvokeKind::Special, arguments, .. } => {
                body.list(arguments).iter().filter(|it| is_ref(it)).count() > 1
                    && instruction.result.is_some_and(|it| self.receivers.contains(&Some(it)))
            }
            _ => false,
        })
    }

    /// Whether the body compares what may be the keys of two objects.
    fn compares(&self) -> bool {
        let body = self.scene.body;
        let names = &self.universe().program.names;
        let locks = !self.facts.sites.is_empty();
        let by_instruction = body.instructions.iter().any(|instruction| match instruction.op {
            Op::Binary(op, ..) => op == BinaryOp::CompareLong,
            Op::Invoke { method, arguments, .. } => {
                let name = names.bytes(method.name);
                let descriptor = names.bytes(method.descriptor);
                let answers = descriptor.ends_with(b")Z") || descriptor.ends_with(b")I");
                matches!(name, b"compare" | b"compareTo" | b"identityHashCode")
                    || locks && answers && body.list(arguments).len() > 1
            }
            Op::Const(_)
            | Op::Unary(..)
            | Op::New(_)
            | Op::NewArray { .. }
            | Op::NewMultiArray { .. }
            | Op::ArrayLength(_)
            | Op::ArrayLoad { .. }
            | Op::ArrayStore { .. }
            | Op::GetStatic(_)
            | Op::PutStatic(..)
            | Op::GetField(..)
            | Op::PutField(..)
            | Op::InvokeDynamic { .. }
            | Op::CheckCast(..)
            | Op::InstanceOf(..)
            | Op::MonitorEnter(_)
            | Op::MonitorExit(_) => false,
        });
        by_instruction || body.blocks.iter().any(|block| self.compares_fields(&block.terminator))
    }

    fn compares_fields(&self, terminator: &Terminator) -> bool {
        let body = self.scene.body;
        let Terminator::If { condition, .. } = *terminator else { return false };
        let (left, right) = match condition {
            Condition::Int(_, left, right) => (left, right),
            // Which objects are one, of those that are locked.
            Condition::SameRef(left, right) | Condition::NotSameRef(left, right) => {
                let is_this = |it: Value| body.parameters().next() == Some(it);
                return !self.facts.sites.is_empty() && (is_this(left) || is_this(right));
            }
            // A flag of an object that has several locks.
            Condition::IntToZero(_, flag) if self.facts.sites.len() > 1 => {
                let set = body.instructions.iter().find(|it| it.result == Some(flag));
                return set.is_some_and(|it| matches!(it.op, Op::GetField(..)));
            }
            _ => return false,
        };
        let defined = |value: Value| {
            let found = body.instructions.iter().find(|it| it.result == Some(value));
            found.map(|instruction| instruction.op)
        };
        let is_read = |op: Option<Op>| matches!(op, Some(Op::GetField(..) | Op::Invoke { .. }));
        is_read(defined(left)) && is_read(defined(right))
    }
}
