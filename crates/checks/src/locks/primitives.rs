//! Which methods of the Java library lock, unlock, wait, wake and start threads.
//!
//! Monitors are instructions; everything else that can block forever is a method of the library, and
//! this is the one list of them. Their own bodies are not looked into.

use program::{Name, Program};
use rustc_hash::FxHashMap;

use super::path::Mode;

/// What a library method does with locks or threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Primitive {
    /// `Lock.lock`, or a try that never blocks forever but holds if it succeeds.
    Lock {
        blocks: bool,
    },
    Unlock,
    /// The value is one of the two locks of a read-write lock.
    ReadLock,
    WriteLock,
    /// The value is a condition of the lock.
    Condition,
    /// A `StampedLock` operation: it is not re-entrant.
    Stamped {
        mode: Mode,
        blocks: bool,
    },
    /// Releases one mode of a `StampedLock`, or whichever is held.
    Unstamp(Option<Mode>),
    /// Gives the waited-on lock back, and blocks until woken: a monitor, or the lock of a condition.
    Wait {
        of: Mode,
        ends: Ends,
    },
    Notify {
        of: Mode,
    },
    /// Blocks until another thread is done.
    Join {
        ends: Ends,
    },
    /// Hands its arguments to another thread.
    Start,
    /// The same, and blocks until the tasks are done.
    Run,
}

impl Primitive {
    /// Whether it takes, gives back or waits for something that others may keep.
    pub(crate) fn blocks(self) -> bool {
        match self {
            Primitive::Lock { .. }
            | Primitive::Unlock
            | Primitive::Stamped { .. }
            | Primitive::Unstamp(_)
            | Primitive::Wait { .. }
            | Primitive::Join { .. }
            | Primitive::Run => true,
            Primitive::ReadLock
            | Primitive::WriteLock
            | Primitive::Condition
            | Primitive::Notify { .. }
            | Primitive::Start => false,
        }
    }
}

/// Whether a wait ends by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ends {
    Never,
    InTime,
    /// In the time that it is given, unless that is 0.
    UnlessZero,
}

/// A wait that ends in time if it is given one.
fn timed(has_arguments: bool) -> Ends {
    if has_arguments { Ends::InTime } else { Ends::Never }
}

/// A wait that takes 0 for no time at all.
fn timed_unless_zero(has_arguments: bool) -> Ends {
    if has_arguments { Ends::UnlessZero } else { Ends::Never }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Object,
    Lock,
    ReadWrite,
    Stamped,
    Condition,
    Thread,
    Finalizers,
    Executor,
    Future,
    Latch,
    Phaser,
    Timer,
    Events,
}

const CLASSES: &[(&str, Kind)] = &[
    ("java/lang/Object", Kind::Object),
    ("java/util/concurrent/locks/Lock", Kind::Lock),
    ("java/util/concurrent/locks/ReentrantLock", Kind::Lock),
    ("java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock", Kind::Lock),
    ("java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock", Kind::Lock),
    ("java/util/concurrent/locks/ReadWriteLock", Kind::ReadWrite),
    ("java/util/concurrent/locks/ReentrantReadWriteLock", Kind::ReadWrite),
    ("java/util/concurrent/locks/StampedLock", Kind::Stamped),
    ("java/util/concurrent/locks/Condition", Kind::Condition),
    ("java/lang/Thread", Kind::Thread),
    ("java/lang/System", Kind::Finalizers),
    ("java/lang/Runtime", Kind::Finalizers),
    ("java/util/concurrent/Executor", Kind::Executor),
    ("java/util/concurrent/ExecutorService", Kind::Executor),
    ("java/util/concurrent/ScheduledExecutorService", Kind::Executor),
    ("java/util/concurrent/ThreadPoolExecutor", Kind::Executor),
    ("java/util/concurrent/ScheduledThreadPoolExecutor", Kind::Executor),
    ("java/util/concurrent/ForkJoinPool", Kind::Executor),
    ("java/util/concurrent/CompletableFuture", Kind::Future),
    ("java/util/concurrent/Future", Kind::Future),
    ("java/util/concurrent/FutureTask", Kind::Future),
    ("java/util/concurrent/CountDownLatch", Kind::Latch),
    ("java/util/concurrent/Phaser", Kind::Phaser),
    ("java/util/Timer", Kind::Timer),
    ("java/awt/EventQueue", Kind::Events),
    ("javax/swing/SwingUtilities", Kind::Events),
];

/// Queues whose methods wait for room or for something to take, and which never compare what they hold.
const QUEUES: &[&str] = &[
    "java/util/concurrent/BlockingQueue",
    "java/util/concurrent/BlockingDeque",
    "java/util/concurrent/ArrayBlockingQueue",
    "java/util/concurrent/LinkedBlockingQueue",
    "java/util/concurrent/LinkedBlockingDeque",
    "java/util/concurrent/SynchronousQueue",
];

/// Whether the method takes the monitor of the object that it is called on, and gives it back in the end.
pub(crate) fn takes_monitor(class: &[u8], method: &[u8]) -> bool {
    class == b"java/lang/Thread" && [&b"join"[..], b"start"].contains(&method)
}

/// Objects that are locks by themselves: their monitor is another.
pub(crate) const LOCKS: &[&str] = &[
    "java/util/concurrent/locks/Lock",
    "java/util/concurrent/locks/ReadWriteLock",
    "java/util/concurrent/locks/StampedLock",
    "java/util/concurrent/locks/Condition",
];

/// What a method of a queue does: whether it puts in or takes out, and whether it waits until it can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct QueueOperation {
    pub puts: bool,
    pub waits: bool,
}

pub(crate) fn is_queue(class: &[u8]) -> bool {
    QUEUES.iter().any(|it| it.as_bytes() == class)
}

/// What the method of a blocking queue does, if it is one.
pub(crate) fn queue_operation(class: &[u8], method: &[u8]) -> Option<QueueOperation> {
    if !is_queue(class) {
        return None;
    }
    match method {
        b"put" => Some(QueueOperation { puts: true, waits: true }),
        b"take" => Some(QueueOperation { puts: false, waits: true }),
        b"offer" | b"add" | b"addAll" => Some(QueueOperation { puts: true, waits: false }),
        // Whatever else is called may make room.
        b"size" | b"isEmpty" | b"peek" | b"contains" | b"remainingCapacity" => None,
        _ => Some(QueueOperation { puts: false, waits: false }),
    }
}

/// The list, by class name.
pub(crate) struct Primitives {
    kinds: FxHashMap<Name, Kind>,
}

impl Primitives {
    pub(crate) fn new(program: &Program) -> Primitives {
        let names = &program.names;
        let kinds = CLASSES.iter().map(|&(name, kind)| (names.intern(name.as_bytes()), kind));
        Primitives { kinds: kinds.collect() }
    }

    /// What the method of this class does, if it is one of the list.
    pub(crate) fn of(
        &self,
        program: &Program,
        class: Name,
        method: Name,
        descriptor: Name,
    ) -> Option<Primitive> {
        let kind = *self.kinds.get(&class)?;
        let method = program.names.bytes(method);
        let descriptor = program.names.bytes(descriptor);
        let has_arguments = !descriptor.starts_with(b"()");
        match kind {
            Kind::Object => object(method, has_arguments),
            Kind::Lock => lock(method),
            Kind::ReadWrite => read_write(method),
            Kind::Stamped => stamped(method),
            Kind::Condition => condition(method, has_arguments),
            Kind::Thread => thread(method, has_arguments),
            Kind::Finalizers => finalizers(method),
            Kind::Executor => executor(method),
            Kind::Future => future(method, has_arguments),
            Kind::Latch => latch(method, has_arguments),
            Kind::Phaser => phaser(method),
            Kind::Timer => method.starts_with(b"schedule").then_some(Primitive::Start),
            Kind::Events => events(method),
        }
    }
}

fn object(method: &[u8], has_arguments: bool) -> Option<Primitive> {
    match method {
        b"wait" => {
            let ends = timed_unless_zero(has_arguments);
            Some(Primitive::Wait { of: Mode::Monitor, ends })
        }
        b"notify" | b"notifyAll" => Some(Primitive::Notify { of: Mode::Monitor }),
        _ => None,
    }
}

fn lock(method: &[u8]) -> Option<Primitive> {
    match method {
        b"lock" | b"lockInterruptibly" => Some(Primitive::Lock { blocks: true }),
        b"tryLock" => Some(Primitive::Lock { blocks: false }),
        b"unlock" => Some(Primitive::Unlock),
        b"newCondition" => Some(Primitive::Condition),
        _ => None,
    }
}

fn read_write(method: &[u8]) -> Option<Primitive> {
    match method {
        b"readLock" => Some(Primitive::ReadLock),
        b"writeLock" => Some(Primitive::WriteLock),
        _ => None,
    }
}

fn stamped(method: &[u8]) -> Option<Primitive> {
    match method {
        b"readLock" | b"readLockInterruptibly" => {
            Some(Primitive::Stamped { mode: Mode::Read, blocks: true })
        }
        b"writeLock" | b"writeLockInterruptibly" => {
            Some(Primitive::Stamped { mode: Mode::Write, blocks: true })
        }
        b"tryReadLock" => Some(Primitive::Stamped { mode: Mode::Read, blocks: false }),
        b"tryWriteLock" | b"tryConvertToWriteLock" => {
            Some(Primitive::Stamped { mode: Mode::Write, blocks: false })
        }
        b"unlockRead" => Some(Primitive::Unstamp(Some(Mode::Read))),
        b"unlockWrite" => Some(Primitive::Unstamp(Some(Mode::Write))),
        b"unlock" => Some(Primitive::Unstamp(None)),
        b"asReadLock" => Some(Primitive::ReadLock),
        b"asWriteLock" => Some(Primitive::WriteLock),
        _ => None,
    }
}

fn condition(method: &[u8], has_arguments: bool) -> Option<Primitive> {
    let of = Mode::Exclusive;
    match method {
        b"await" => Some(Primitive::Wait { of, ends: timed(has_arguments) }),
        b"awaitUninterruptibly" => Some(Primitive::Wait { of, ends: Ends::Never }),
        b"awaitNanos" | b"awaitUntil" => Some(Primitive::Wait { of, ends: Ends::InTime }),
        b"signal" | b"signalAll" => Some(Primitive::Notify { of }),
        _ => None,
    }
}

fn thread(method: &[u8], has_arguments: bool) -> Option<Primitive> {
    match method {
        b"join" => Some(Primitive::Join { ends: timed_unless_zero(has_arguments) }),
        b"start" => Some(Primitive::Start),
        _ => None,
    }
}

/// Another thread runs the finalizers of whatever objects are gone.
fn finalizers(method: &[u8]) -> Option<Primitive> {
    (method == b"runFinalization").then_some(Primitive::Join { ends: Ends::Never })
}

fn executor(method: &[u8]) -> Option<Primitive> {
    match method {
        b"execute"
        | b"submit"
        | b"schedule"
        | b"scheduleAtFixedRate"
        | b"scheduleWithFixedDelay" => Some(Primitive::Start),
        b"invokeAll" | b"invokeAny" | b"invoke" => Some(Primitive::Run),
        _ => None,
    }
}

fn future(method: &[u8], has_arguments: bool) -> Option<Primitive> {
    match method {
        b"get" => Some(Primitive::Join { ends: timed(has_arguments) }),
        b"join" => Some(Primitive::Join { ends: Ends::Never }),
        b"runAsync" | b"supplyAsync" => Some(Primitive::Start),
        _ if method.ends_with(b"Async") => Some(Primitive::Start),
        _ => None,
    }
}

/// The thread that handles events is one more thread.
fn events(method: &[u8]) -> Option<Primitive> {
    match method {
        b"invokeAndWait" => Some(Primitive::Run),
        b"invokeLater" => Some(Primitive::Start),
        _ => None,
    }
}

/// Parties that wait for each other.
fn phaser(method: &[u8]) -> Option<Primitive> {
    let waits = method == b"arriveAndAwaitAdvance" || method.starts_with(b"awaitAdvance");
    waits.then_some(Primitive::Join { ends: Ends::Never })
}

fn latch(method: &[u8], has_arguments: bool) -> Option<Primitive> {
    (method == b"await").then_some(Primitive::Join { ends: timed(has_arguments) })
}
