//! Object, Class, System, Throwable.

use program::{MethodId, Type};
use smt::{Sort, Term};

use super::Area;
use crate::symbolic::calls::returned;
use crate::symbolic::space::Leaf;
use crate::symbolic::{Engine, Outcome, State};

pub(super) const AREAS: &[Area] = &[
    (
        "java/lang/Object",
        &[
            ("getClass", "", get_class),
            ("hashCode", "", identity_hash),
            ("notify", "", nothing),
            ("notifyAll", "", nothing),
        ],
    ),
    (
        "java/lang/Class",
        &[
            ("desiredAssertionStatus", "", no),
            ("isInstance", "", is_instance),
            ("getName", "", class_name),
            ("isArray", "", is_array),
            ("getComponentType", "", component_type),
            ("getPrimitiveClass", "", nothing_known),
        ],
    ),
    (
        "java/lang/System",
        &[("identityHashCode", "", identity_hash), ("getSecurityManager", "", no_manager)],
    ),
    ("java/lang/Throwable", &[("fillInStackTrace", "", this)]),
    (
        "jdk/internal/util/Preconditions",
        &[("checkIndex", "(IILjava/util/function/BiFunction;)I", check_index)],
    ),
    ("java/lang/reflect/Proxy", &[("isProxyClass", "", is_proxy_class)]),
    ("java/lang/ref/Reference", &[("reachabilityFence", "", nothing)]),
    ("jdk/internal/access/SharedSecrets", &[("getJavaLangAccess", "", java_lang_access)]),
];

fn nothing_known(_: &mut Engine<'_>, _: MethodId, _: &[Term], _: &State) -> Option<Outcome> {
    None
}

fn nothing(_: &mut Engine<'_>, _: MethodId, _: &[Term], state: &State) -> Option<Outcome> {
    Some(returned(state.clone(), None))
}

fn no(engine: &mut Engine<'_>, _: MethodId, _: &[Term], state: &State) -> Option<Outcome> {
    let zero = engine.space.terms.int(0);
    Some(returned(state.clone(), Some(zero)))
}

/// The platform asks all the time, and there is none; what others do if there is one is their affair.
fn no_manager(engine: &mut Engine<'_>, _: MethodId, _: &[Term], state: &State) -> Option<Outcome> {
    let &(caller, _) = engine.stack.last()?;
    let is_platform = engine.program.role(caller.class) == program::Role::Platform;
    let null = engine.space.null();
    is_platform.then(|| returned(state.clone(), Some(null)))
}

/// The door between packages of the platform, which is set once when it starts.
fn java_lang_access(
    engine: &mut Engine<'_>,
    _: MethodId,
    _: &[Term],
    state: &State,
) -> Option<Outcome> {
    let field = engine.platform_field("jdk/internal/access/SharedSecrets", "javaLangAccess")?;
    let value = engine.machine.read_static(field).ok()?;
    let access = engine.import(value, "java lang access")?;
    let is_set = access != engine.space.null();
    is_set.then(|| returned(state.clone(), Some(access)))
}

fn this(_: &mut Engine<'_>, _: MethodId, arguments: &[Term], state: &State) -> Option<Outcome> {
    Some(returned(state.clone(), arguments.first().copied()))
}

fn get_class(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let class = engine.class_of(arguments[0])?;
    let mirror = engine.space.mirror(class);
    Some(returned(state.clone(), Some(mirror)))
}

fn identity_hash(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let hash = engine.space.apply("identity hash", &[arguments[0]], Sort::BitVec(32));
    let is_null = engine.space.is_null(arguments[0]);
    let zero = engine.space.terms.int(0);
    let hash = engine.space.terms.ite(is_null, zero, hash);
    Some(returned(state.clone(), Some(hash)))
}

fn is_instance(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let ty = engine.mirrored_type(arguments[0])?;
    let fits = engine.is_instance(arguments[1], ty)?;
    let is_null = engine.space.is_null(arguments[1]);
    let not_null = engine.space.terms.not(is_null);
    let holds = engine.space.terms.and2(not_null, fits);
    let value = engine.boolean(holds);
    Some(returned(state.clone(), Some(value)))
}

/// Of the class of an object: all such classes are below Proxy.
fn is_proxy_class(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let leaves = engine.space.leaves(arguments[0])?;
    let &[(_, Leaf::Input(key))] = &leaves[..] else { return None };
    let smt::Op::Concat = engine.space.terms.op(key) else { return None };
    let &[_, class] = engine.space.terms.args(key) else { return None };
    let proxy = Type::class(engine.program.names.find(b"java/lang/reflect/Proxy")?);
    let is_below = engine.is_subtype_term(class, proxy)?;
    let is_made = engine.space.apply("is a class made for a proxy", &[class], Sort::Bool);
    let holds = engine.space.terms.and2(is_below, is_made);
    let value = engine.boolean(holds);
    Some(returned(state.clone(), Some(value)))
}

fn is_array(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let ty = engine.mirrored_type(arguments[0])?;
    let answer = engine.space.terms.int(i32::from(ty.dimensions > 0));
    Some(returned(state.clone(), Some(answer)))
}

fn component_type(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let component = match engine.mirrored_type(arguments[0])?.component() {
        Some(component) => engine.mirror_of(component),
        None => engine.space.null(),
    };
    Some(returned(state.clone(), Some(component)))
}

/// Some text, the same for the same class.
fn class_name(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let key = engine.space.apply("class name", &[arguments[0]], Sort::BitVec(31));
    let zero = engine.space.terms.bitvec(31, 0);
    let not_null = engine.space.terms.ne(key, zero);
    engine.space.assume(not_null);
    let name = engine.widen(key, Type::class(engine.program.known.string));
    Some(returned(state.clone(), Some(name)))
}

fn check_index(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let &[index, length, _] = arguments else { return None };
    let terms = &mut engine.space.terms;
    // A negative length is never above an index, signed: `index < 0 || index >= length`.
    let zero = terms.int(0);
    let (above, below) = (terms.sle(zero, index), terms.slt(index, length));
    let inside = terms.and2(above, below);
    Some(engine.guarded(inside, "java/lang/IndexOutOfBoundsException", state, Some(index)))
}

impl Engine<'_> {
    /// The type that a `Class` object stands for, where that is known.
    pub(super) fn mirrored_type(&mut self, class: Term) -> Option<Type> {
        let leaves = self.space.leaves(class)?;
        let &[(_, Leaf::Input(key))] = &leaves[..] else { return None };
        let number = self.space.mirrored(key)?;
        self.numbered_type(number)
    }

    /// The value where `fine` holds, an exception of the JVM's own where it does not.
    pub(in crate::symbolic) fn guarded(
        &mut self,
        fine: Term,
        class: &str,
        state: &State,
        value: Option<Term>,
    ) -> Outcome {
        let mut outcome = Outcome::default();
        let known = state.path.decide(&self.space, fine);
        if known != Some(true) {
            let wrong = self.space.terms.not(fine);
            let mut thrown = state.clone();
            thrown.path = thrown.path.and(&self.space.terms, wrong);
            let exception = self.implicit_exception(class);
            outcome.thrown = Some((thrown, exception));
        }
        if known != Some(false) {
            let mut here = state.clone();
            here.path = here.path.and(&self.space.terms, fine);
            outcome.returned = Some((here, value));
        }
        outcome
    }
}
