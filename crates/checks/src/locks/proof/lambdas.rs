//! Lambdas and references of judged code that a call on an interface of its own may run. The bodies of a call
//! are those of classes; whoever has made a lambda has made an object of the interface as well.

use program::{ClassId, MethodId};

use super::calls::Search;
use super::library::Effect;
use crate::locks::context::Context;
use crate::locks::facts::Call;
use crate::locks::primitives::Primitive;

/// Each interface with what stands behind it.
pub(super) fn find_lambdas(context: &Context<'_>) -> Vec<(ClassId, MethodId)> {
    let own = context.slice.methods.iter().zip(&context.slice.facts);
    let own = own.filter(|(method, _)| !context.universe.is_platform(method.class));
    let lambdas = own.flat_map(|(_, facts)| &facts.lambdas);
    let mut found: Vec<(ClassId, MethodId)> = lambdas
        .filter(|it| !context.universe.is_platform(it.interface))
        .map(|it| (it.interface, it.target))
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

impl Search<'_> {
    /// What the call may run besides the bodies of classes.
    pub(super) fn lambdas_behind(&self, call: &Call) -> impl Iterator<Item = MethodId> {
        let program = self.context.universe.program;
        let (_, called) = program.method(call.resolved);
        let receiver = call.arguments.first().copied().flatten();
        let class = receiver.and_then(|it| it.class).unwrap_or(call.resolved.class);
        let is_open = call.is_virtual
            && called.access_flags.is_abstract()
            && receiver.is_none_or(|it| !it.exact);
        let lambdas = if is_open { &self.lambdas[..] } else { &[] };
        let may_be = move |interface| program.is_subtype(interface, class) != Some(false);
        lambdas.iter().filter(move |it| may_be(it.0)).map(|it| it.1)
    }

    /// Whether one of these may lock, wait or do what is unknown.
    pub(super) fn runs_loud_lambda(&self, call: &Call) -> bool {
        self.lambdas_behind(call).any(|target| !self.is_quiet_target(target))
    }

    fn is_quiet_target(&self, target: MethodId) -> bool {
        let universe = self.context.universe;
        let program = universe.program;
        let (class, declared) = program.method(target);
        let known = universe.primitives.of(program, class.name, declared.name, declared.descriptor);
        let is_special = declared.access_flags.is_static() || declared.name == program.known.init;
        let bodies = if is_special {
            universe.only(Some(target))
        } else {
            universe.targets(target.class, false, target)
        };
        let is_quiet = |body: MethodId| {
            self.context.slice.index(body).is_some_and(|it| {
                let is_own = !universe.is_platform(body.class);
                if is_own { self.quiet[it] } else { self.effects[it] == Effect::default() }
            })
        };
        !known.is_some_and(Primitive::blocks) && bodies.is_known() && bodies.all().all(is_quiet)
    }
}
