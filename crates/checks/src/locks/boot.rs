//! Classes that the JVM initialises before any code of a program runs: no circle through them can
//! close any more when there is a second thread.

use program::{ClassId, MethodId};
use rustc_hash::FxHashSet;

use super::context::Context;
use super::facts::What;

/// What the JVM itself asks for when it starts, before it calls the phases below.
const CLASSES: &[&str] = &[
    "java/lang/String",
    "java/lang/System",
    "java/lang/Class",
    "java/lang/ThreadGroup",
    "java/lang/Thread",
    "java/lang/Module",
    "java/lang/reflect/Method",
    "java/lang/ref/Finalizer",
    "java/lang/OutOfMemoryError",
    "java/lang/StackOverflowError",
    "java/lang/invoke/MethodHandle",
    "java/lang/invoke/ResolvedMethodName",
    "java/lang/invoke/MemberName",
];

const PHASES: &[&str] = &["initPhase1", "initPhase2", "initPhase3"];

/// Calls from a phase or an initialiser; deeper ones are taken to be conditional.
const DEPTH: usize = 12;

pub(crate) fn booted(context: &Context<'_>) -> FxHashSet<ClassId> {
    let program = context.universe.program;
    let mut boot = Boot {
        context,
        classes: FxHashSet::default(),
        methods: FxHashSet::default(),
        queue: Vec::new(),
    };
    for name in CLASSES {
        if let Some(class) = program.find_class_text(name) {
            boot.initialise(class, 0);
        }
    }
    let system = program.find_class_text("java/lang/System").and_then(|id| program.class(id));
    for (id, method) in system.into_iter().flat_map(|system| system.methods()) {
        if PHASES.iter().any(|phase| program.names.bytes(method.name) == phase.as_bytes()) {
            boot.visit(id, 0);
        }
    }
    boot.run();
    boot.classes
}

struct Boot<'a> {
    context: &'a Context<'a>,
    classes: FxHashSet<ClassId>,
    methods: FxHashSet<MethodId>,
    queue: Vec<(usize, usize)>,
}

impl Boot<'_> {
    fn visit(&mut self, method: MethodId, depth: usize) {
        if let Some(index) = self.context.slice.index(method)
            && depth <= DEPTH
            && self.methods.insert(method)
        {
            self.queue.push((index, depth));
        }
    }

    fn initialise(&mut self, class: ClassId, depth: usize) {
        let program = self.context.universe.program;
        let Some(declared) = program.class(class) else { return };
        let ancestry = program.ancestry(declared);
        for &class in ancestry.superclasses.iter().chain(&ancestry.interfaces) {
            if self.classes.insert(class)
                && let Some(initialiser) = self.context.universe.initialiser(class)
            {
                self.visit(initialiser, depth);
            }
        }
    }

    fn run(&mut self) {
        let slice = self.context.slice;
        while let Some((method, depth)) = self.queue.pop() {
            for event in &slice.facts[method].events {
                match &event.what {
                    What::Init(class) => self.initialise(*class, depth),
                    What::Call(call) => {
                        if let [only] = call.targets.methods[..]
                            && call.targets.is_known()
                        {
                            self.visit(only, depth + 1);
                        }
                    }
                    What::Acquire(_)
                    | What::Wait { .. }
                    | What::Notify { .. }
                    | What::Join(_)
                    | What::Spawn(_) => {}
                }
            }
        }
    }
}
