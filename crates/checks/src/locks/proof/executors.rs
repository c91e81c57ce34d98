//! Tasks that the thread which hands them over may run itself, and functions that others run for it.
//!
//! Only executors that certainly have threads of their own put a task off: the library's pools, made
//! without a factory or a handler of somebody else. Any other may run what it is given at once.

use program::ClassId;

use super::calls::Search;
use super::hidden::called_name;
use crate::locks::facts::{Event, Facts, Spawn, What};
use crate::locks::fields::is_closed;
use crate::locks::path::{Root, Step, Val};
use crate::locks::primitives::is_queue;

/// Fields and calls that are followed back to where an executor was made.
const DEPTH: usize = 3;

impl Search<'_> {
    /// That other threads run the functions of the stream which comes out of a call. Who asks it for its
    /// result waits for them, with all locks held that he has by then.
    pub(super) fn goes_parallel(&self, method: usize, event: &Event) -> Option<String> {
        let What::Call(call) = &event.what else { return None };
        let program = self.context.universe.program;
        let (class, called) = program.method(call.resolved);
        let maker = match program.names.bytes(called.name) {
            b"parallelStream" => program.find_class_text("java/util/Collection")?,
            b"parallel" => program.find_class_text("java/util/stream/BaseStream")?,
            _ => return None,
        };
        let place = self.place(method, event.pc, None);
        let name = called_name(self.context, call.resolved);
        (program.is_subtype(class.id, maker) == Some(true)).then(|| {
            format!("{place} calls {name}, and other threads then run what the stream is given")
        })
    }

    /// Whether the tasks may run in this thread.
    pub(super) fn may_run_now(&self, facts: &Facts, spawn: &Spawn) -> bool {
        let program = self.context.universe.program;
        let Some(executor) = program.find_class_text("java/util/concurrent/Executor") else {
            return false;
        };
        let is_executor = |val: &&Val| {
            val.class.is_none_or(|it| program.is_subtype(it, executor) != Some(false))
                && !self.is_lambda_of_other(facts, val, executor)
        };
        let mut given = spawn.arguments.iter().flatten().filter(is_executor);
        given.any(|val| !self.has_own_threads(facts, *val, DEPTH))
    }

    /// Whether the value is a lambda of another type: a task, not an executor.
    fn is_lambda_of_other(&self, facts: &Facts, val: &Val, executor: ClassId) -> bool {
        let Root::Alloc(_, pc) = self.context.paths.of(val.path).root else { return false };
        facts.lambdas.iter().any(|it| it.pc == pc && it.interface != executor)
    }

    fn has_own_threads(&self, facts: &Facts, val: Val, depth: usize) -> bool {
        let context = self.context;
        let path = context.paths.of(val.path);
        if depth == 0 {
            return false;
        }
        let field = match (path.last(), path.root) {
            (Some(Step::Field(field)), _) | (None, Root::Static(field)) => field,
            (None, Root::Result(number)) => return self.is_made_with_threads(facts, number),
            (None, Root::Alloc(_, pc)) => return self.is_plain_pool(facts, pc),
            _ => return false,
        };
        let stored = context.fields.stored(field);
        is_closed(context.universe, field)
            && !stored.is_empty()
            && stored.iter().all(|&(maker, value)| {
                let maker = context.slice.index(maker);
                maker.is_some_and(|it| {
                    self.has_own_threads(&context.slice.facts[it], value, depth - 1)
                })
            })
    }

    /// Whether the call is one of `Executors` that is given no object, or the pool that all share.
    fn is_made_with_threads(&self, facts: &Facts, number: u32) -> bool {
        let program = self.context.universe.program;
        let Some(call) = facts.call(number) else { return false };
        let class = program.class_text(program.class_name(call.resolved.class));
        let is_pool = class == "java.util.concurrent.Executors"
            || class == "java.util.concurrent.ForkJoinPool" && !call.is_virtual;
        is_pool && call.arguments.iter().flatten().next().is_none()
    }

    /// Whether the new pool is the library's, and so is everything that it was given.
    fn is_plain_pool(&self, facts: &Facts, pc: u16) -> bool {
        let universe = self.context.universe;
        let program = universe.program;
        let Some(creation) = facts.creation(pc) else { return false };
        let hooks = ["ThreadFactory", "RejectedExecutionHandler"]
            .map(|name| program.find_class_text(&format!("java/util/concurrent/{name}")));
        let is_hook = |class: ClassId| {
            let mut hooks = hooks.iter().flatten();
            hooks.any(|&hook| program.is_subtype(class, hook) != Some(false))
        };
        // Other queues compare the tasks, and each other is somebody's code.
        let queue = program.find_class_text("java/util/concurrent/BlockingQueue");
        let compares = |class: ClassId| {
            queue.is_some_and(|it| program.is_subtype(class, it) != Some(false))
                && !is_queue(program.names.bytes(program.class_name(class)))
        };
        let is_plain = |val: &Val| {
            val.class.and_then(|it| program.class(it)).is_some_and(|class| {
                let is_known = val.exact || class.access_flags.is_final();
                universe.is_platform(class.id)
                    && is_known
                    && !is_hook(class.id)
                    && !compares(class.id)
            })
        };
        universe.is_platform(creation.class)
            && creation.arguments.iter().skip(1).flatten().all(is_plain)
            && !self.changes_pools()
    }

    /// Whether some code changes how pools make threads, or what they do with tasks too many.
    fn changes_pools(&self) -> bool {
        let program = self.context.universe.program;
        let changes = |what: &What| match what {
            What::Call(call) => matches!(
                program.names.bytes(program.method(call.resolved).1.name),
                b"setThreadFactory" | b"setRejectedExecutionHandler"
            ),
            What::Acquire(_)
            | What::Init(_)
            | What::Wait { .. }
            | What::Notify { .. }
            | What::Join(_)
            | What::Spawn(_) => false,
        };
        let events = self.context.slice.facts.iter().flat_map(|it| &it.events);
        events.into_iter().any(|event| changes(&event.what))
    }

    /// Whether something that may lock was put into an object of the library which this method made.
    pub(super) fn is_filled(&self, method: usize, facts: &Facts, object: Val) -> bool {
        let context = self.context;
        let path = context.paths.of(object.path);
        let is_here =
            matches!(path.root, Root::Alloc(it, _) if it == context.slice.methods[method]);
        is_here
            && facts.events.iter().any(|event| match &event.what {
                What::Call(call) => {
                    let receiver = call.arguments.first().copied().flatten();
                    let mut others = call.arguments.iter().skip(1).flatten();
                    receiver.is_some_and(|it| it.path == object.path)
                        && others.any(|it| !self.is_harmless(method, facts, *it))
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
