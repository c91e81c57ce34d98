//! Branches on unknown conditions whose two sides only choose between constants and meet again at
//! once, as javac compiles `flag = a == b`: what they choose is then unknown, and nothing else.

use program::ir::{BlockId, Edge, Op, Terminator};

use super::run::Frame;
use super::value::{Unknown, Value};
use super::{Machine, Outcome};

/// A block that a side arrives at, and what it passes.
type Arrival = (BlockId, Vec<Value>);

impl Machine<'_> {
    /// Where both sides go on, with unknown values where they differ; `None` if they do more.
    pub(super) fn join(
        &mut self,
        frame: &mut Frame<'_>,
        then: Edge,
        otherwise: Edge,
    ) -> Outcome<Option<BlockId>> {
        let left = self.arrivals(frame, then)?;
        let right = self.arrivals(frame, otherwise)?;
        let met = left.iter().find_map(|(target, a)| {
            right.iter().find(|(other, _)| other == target).map(|(_, b)| (*target, a, b))
        });
        let Some((target, a, b)) = met else { return Ok(None) };
        let parameters = frame.body.list(frame.body.block(target).parameters);
        for ((parameter, &a), &b) in parameters.iter().zip(a).zip(b) {
            let value = if a == b { a } else { Value::Unknown(Unknown::Choice) };
            frame.values[parameter.index()] = value;
        }
        Ok(Some(target))
    }

    /// The target of the edge, and the next one if only constants are in between.
    fn arrivals(&mut self, frame: &mut Frame<'_>, edge: Edge) -> Outcome<Vec<Arrival>> {
        let mut arrivals = vec![(edge.target, frame.list(edge.arguments))];
        let body = frame.body;
        let block = body.block(edge.target);
        let instructions = body.instructions_of(block);
        let are_constants = instructions.iter().all(|i| matches!(i.op, Op::Const(_)));
        if let (true, Terminator::Goto(next)) = (are_constants, block.terminator) {
            frame.follow(edge, 0);
            for instruction in instructions {
                if let (Op::Const(constant), Some(result)) = (instruction.op, instruction.result) {
                    frame.values[result.index()] = self.constant(body, constant)?;
                }
            }
            arrivals.push((next.target, frame.list(next.arguments)));
        }
        Ok(arrivals)
    }
}
