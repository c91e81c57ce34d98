//! Lambdas that are handed to a stream: they run when the stream is asked for its result, in the thread
//! that asks, with all locks held that this thread has by then.

use program::ClassId;

use super::{Call, Certainty, Event, Frame, Lock, Root, What};

impl<'a> Frame<'a> {
    pub(super) fn run_pipeline(&mut self, event: &Event, must: &[Lock], call: &'a Call) {
        let receiver = call.arguments.first().copied().flatten().and_then(|it| it.class);
        if !receiver.is_some_and(|it| self.is_stream(it)) || !self.is_asked_for(event, call) {
            return;
        }
        let own = self.context.slice.methods[self.method];
        for argument in call.arguments.iter().skip(1).flatten() {
            let path = self.paths().of(argument.path);
            let lambda = match path.root {
                Root::Alloc(maker, pc) if maker == own && path.steps().is_empty() => {
                    self.facts.lambdas.iter().find(|it| it.pc == pc)
                }
                _ => None,
            };
            let Some(lambda) = lambda else { continue };
            let unknown = self.unknown_arguments(lambda.target, usize::MAX);
            let mut arguments = lambda.captured.to_vec();
            arguments.extend(unknown.into_iter().skip(lambda.captured.len()));
            let certainty = Certainty::Known { doubt: 0 };
            self.call_target(event, must, lambda.target, &arguments, certainty);
        }
    }

    fn is_stream(&self, class: ClassId) -> bool {
        let program = self.context.universe.program;
        let stream = program.find_class_text("java/util/stream/BaseStream");
        stream.is_some_and(|it| program.is_subtype(class, it) == Some(true))
    }

    /// Whether the body itself asks for the result, with the same locks held.
    fn is_asked_for(&self, event: &Event, call: &Call) -> bool {
        let gives_stream = |call: &Call| {
            let universe = self.context.universe;
            let (_, method) = universe.program.method(call.resolved);
            let descriptor = universe.program.names.bytes(method.descriptor);
            let result =
                descriptor.iter().position(|&it| it == b')').map(|at| &descriptor[at + 1..]);
            let class =
                result.and_then(|it| crate::locks::values::class_of_descriptor(universe, it));
            class.is_some_and(|it| self.is_stream(it))
        };
        if !gives_stream(call) {
            return true;
        }
        self.facts.events.iter().any(|other| match &other.what {
            What::Call(asked) => {
                let receiver = asked.arguments.first().copied().flatten();
                let class = receiver.filter(|_| asked.is_virtual).and_then(|it| it.class);
                other.held == event.held
                    && class.is_some_and(|it| self.is_stream(it))
                    && !gives_stream(asked)
            }
            What::Acquire(_)
            | What::Init(_)
            | What::Wait { .. }
            | What::Notify { .. }
            | What::Join(_)
            | What::Spawn(_) => false,
        })
    }
}
