//! One side's way through its code: silent steps up to the next event.
//!
//! Silent is what nobody else can see and what cannot fail: constants, arithmetic, jumps, a
//! compiler's own helper methods, string builders that never get out of the expression that made them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use program::ir::{
    ArrayKind, BlockId, CallSite, Condition, Edge, Handler, Instruction, InvokeKind, MethodRef, Op,
    Terminator, Value,
};
use program::{MethodDescriptor, MethodId};

use super::code::Code;
use super::context::{CASE, Context, ORDINAL, checked, equal, event, made};
use super::terms::{INSTANCE_OF, Known, Node, Part, Question, Term, Terms};

const MOST_FRAMES: usize = 8;
pub(super) const BUILDER: &str = "java/lang/StringBuilder";

#[derive(Clone)]
pub(super) struct Frame {
    pub(super) method: MethodId,
    pub(super) code: Rc<Code>,
    pub(super) block: BlockId,
    /// The next instruction of the block; past the last one, its terminator.
    pub(super) at: usize,
    pub(super) values: Vec<Term>,
}

#[derive(Clone)]
pub(super) struct Walk {
    /// The last one runs; the others wait for what is part of them.
    pub(super) frames: Vec<Frame>,
    pub(super) builders: BTreeMap<u32, Builder>,
    /// An exception that looks for its handler.
    pub(super) raised: Option<Term>,
    /// Whether ways have met since the last node.
    pub(super) has_joined: bool,
    /// At the start of a block to which the code jumps back.
    pub(super) at_header: bool,
    /// Texts of the arguments of a concatenation so far.
    pub(super) partial: Vec<Part>,
    /// Arrays that nobody has read or passed on yet: their lengths, and what was written.
    pub(super) young: BTreeMap<Term, (i32, BTreeSet<i32>)>,
    /// Fields that a compiler made and the other version does not have: what the constructor put there.
    pub(super) lone: Vec<(String, Term, Term)>,
}

#[derive(Clone, PartialEq, Eq)]
pub(super) struct Builder {
    pub(super) is_made: bool,
    pub(super) parts: Vec<Part>,
}

/// Where a walk cannot go on alone.
pub(super) enum Stop {
    Event(Box<Event>),
    Header,
    Returned(Option<Term>),
    Thrown(Term),
    /// The way depends on this.
    Fork(Question),
    /// Something that is not compared in this way.
    Foreign,
}

/// Something that the world can see, or that may fail.
pub(super) struct Event {
    /// What is done; with equal arguments it does the same on both sides.
    pub(super) key: String,
    pub(super) arguments: Vec<Term>,
    pub(super) result: Gives,
    pub(super) raises: Raises,
    /// The code that a lambda runs, and how many of the arguments it captured.
    pub(super) lambda: Option<MethodId>,
    /// What is not null once this went well.
    pub(super) checked: Option<Term>,
    /// A cast that went well.
    pub(super) cast: Option<Rc<str>>,
    /// A field that keeps what is written here for good.
    pub(super) captures: Option<String>,
}

pub(super) enum Gives {
    Nothing,
    /// A value that only this event gives.
    New(Known),
    /// One that was there before.
    Old(Term),
    /// No more than that it went well: the instruction is taken up again.
    Again,
    /// The next text of a concatenation.
    Text,
    /// A builder that is now seen by others.
    Builder(u32),
}

#[derive(Clone)]
pub(super) enum Raises {
    Nothing,
    Exactly(&'static str),
    Anything,
}

pub(super) type Step = Result<(), Stop>;

impl Walk {
    pub(super) fn new(method: MethodId, code: Rc<Code>, arguments: &[Term]) -> Walk {
        let mut values = vec![Term::UNDEFINED; code.body.kinds.len()];
        values[..arguments.len()].copy_from_slice(arguments);
        let frame = Frame { method, code, block: BlockId::ENTRY, at: 0, values };
        Walk {
            frames: vec![frame],
            builders: BTreeMap::new(),
            raised: None,
            has_joined: false,
            at_header: false,
            partial: Vec::new(),
            young: BTreeMap::new(),
            lone: Vec::new(),
        }
    }

    pub(super) fn frame(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// Takes silent steps; the steps are counted in `left`.
    pub(super) fn advance(&mut self, context: &mut Context<'_, '_>, left: &mut u32) -> Stop {
        loop {
            if self.at_header {
                return Stop::Header;
            }
            *left = left.saturating_sub(1);
            if *left == 0 {
                return Stop::Foreign;
            }
            let step = match self.raised {
                Some(exception) => self.unwind(context, exception),
                None => self.step(context),
            };
            if let Err(stop) = step {
                return stop;
            }
        }
    }

    /// Whether an exception here could be caught.
    pub(super) fn has_handlers(&self) -> bool {
        self.frames.iter().any(|frame| {
            let body = &frame.code.body;
            !body.handlers_of(body.block(frame.block)).is_empty()
        })
    }

    /// The result of an event goes where the instruction says; on to the next.
    pub(super) fn resume(&mut self, value: Option<Term>) {
        let frame = self.frame();
        let code = frame.code.clone();
        let block = code.body.block(frame.block);
        if let Some(instruction) = code.body.instructions_of(block).get(frame.at) {
            if let (Some(result), Some(value)) = (instruction.result, value) {
                frame.values[result.index()] = value;
            }
            frame.at += 1;
        }
    }

    fn unwind(&mut self, context: &mut Context<'_, '_>, exception: Term) -> Step {
        let frame = self.frame();
        let code = frame.code.clone();
        let block = code.body.block(frame.block);
        for &Handler { catch_type, edge } in code.body.handlers_of(block) {
            let is_caught = match catch_type {
                None => true,
                Some(class) => {
                    let class: Rc<str> = context.side.class(class).into();
                    context.decide(Question::IsA(class, exception))?
                }
            };
            if is_caught {
                self.raised = None;
                self.partial.clear();
                self.enter(&code, edge, Some(exception));
                return Ok(());
            }
        }
        if self.frames.len() == 1 {
            return Err(Stop::Thrown(exception));
        }
        self.frames.pop();
        Ok(())
    }

    fn enter(&mut self, code: &Code, edge: Edge, exception: Option<Term>) {
        let frame = self.frame();
        let parameters = code.body.list(code.body.block(edge.target).parameters);
        let passed: Vec<Term> = exception
            .into_iter()
            .chain(code.body.list(edge.arguments).iter().map(|value| frame.values[value.index()]))
            .collect();
        for (parameter, term) in parameters.iter().zip(passed) {
            frame.values[parameter.index()] = term;
        }
        frame.block = edge.target;
        frame.at = 0;
        self.has_joined |= code.is_join[edge.target.index()];
        self.at_header = code.is_header[edge.target.index()];
    }

    fn step(&mut self, context: &mut Context<'_, '_>) -> Step {
        let frame = self.frame();
        let code = frame.code.clone();
        let block = code.body.block(frame.block);
        match code.body.instructions_of(block).get(frame.at).copied() {
            Some(instruction) => self.instruction(context, &code, instruction),
            None => self.terminator(context, &code, block.terminator),
        }
    }

    fn terminator(&mut self, context: &mut Context<'_, '_>, code: &Code, end: Terminator) -> Step {
        match end {
            Terminator::Goto(edge) => self.enter(code, edge, None),
            Terminator::If { condition, then, otherwise } => {
                let (question, polarity) = self.question(context, condition)?;
                let answer = context.decide(question)?;
                self.enter(code, if answer == polarity { then } else { otherwise }, None);
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.value(value);
                let mut target = default;
                for &(key, edge) in code.body.cases(cases) {
                    let question = context.equals_int(value, key);
                    if context.decide(question)? {
                        target = edge;
                        break;
                    }
                }
                self.enter(code, target, None);
            }
            Terminator::Return(value) => {
                let value = value.map(|value| self.value(value));
                if let Some(value) = value {
                    self.see(context, &[value])?;
                }
                if self.frames.len() == 1 {
                    return Err(Stop::Returned(value));
                }
                self.frames.pop();
                self.resume(value);
            }
            Terminator::Throw(value) => {
                let value = self.value(value);
                context.not_null(value)?;
                self.raised = Some(value);
            }
        }
        Ok(())
    }

    fn value(&self, value: Value) -> Term {
        self.frames[self.frames.len() - 1].values[value.index()]
    }

    fn question(
        &self,
        context: &mut Context<'_, '_>,
        condition: Condition,
    ) -> Result<(Question, bool), Stop> {
        let null = context.terms.intern(Node::Null);
        Ok(match condition {
            Condition::Int(compare, one, two) => {
                let (one, two) = (self.value(one), self.value(two));
                context.compare(compare, one, two)
            }
            Condition::IntToZero(compare, value) => {
                let zero = context.terms.intern(Node::Int(0));
                context.compare(compare, self.value(value), zero)
            }
            Condition::SameRef(one, two) | Condition::NotSameRef(one, two) => {
                let values = [self.value(one), self.value(two)];
                // Strings with the same parts are one term, and may be two objects.
                if values.iter().any(|&it| matches!(context.terms.node(it), Node::Concat(_))) {
                    return Err(Stop::Foreign);
                }
                (equal(values[0], values[1]), matches!(condition, Condition::SameRef(..)))
            }
            Condition::Null(value) => (equal(self.value(value), null), true),
            Condition::NotNull(value) => (equal(self.value(value), null), false),
        })
    }

    fn instruction(
        &mut self,
        context: &mut Context<'_, '_>,
        code: &Code,
        instruction: Instruction,
    ) -> Step {
        let body = &code.body;
        let value = match instruction.op {
            Op::Const(constant) => Some(context.constant(constant)?),
            Op::Unary(op, value) => Some(context.terms.apply(&op.word(), &[self.value(value)])),
            Op::Binary(op, one, two) => {
                Some(context.binary(op, self.value(one), self.value(two))?)
            }
            Op::New(class) => {
                let class = context.side.class(class);
                if class != BUILDER {
                    let known =
                        Known { is_not_null: true, ty: Some((&*class).into()), is_exact: true };
                    return event(format!("new {class}"), &[], Gives::New(known), Raises::Anything);
                }
                let number = self.builders.last_key_value().map_or(0, |(last, _)| last + 1);
                self.builders.insert(number, Builder { is_made: false, parts: Vec::new() });
                Some(context.terms.intern(Node::Builder(number)))
            }
            Op::NewArray { element, length } => {
                let ty = format!("[{}", context.side.ty(element));
                let raises = match *context.terms.node(self.value(length)) {
                    Node::Int(length) if length >= 0 => Raises::Nothing,
                    _ => Raises::Exactly("java/lang/NegativeArraySizeException"),
                };
                let known = Known { is_not_null: true, ty: Some((&*ty).into()), is_exact: true };
                let length = self.value(length);
                return event(format!("new {ty}"), &[length], Gives::New(known), raises);
            }
            Op::NewMultiArray { array, lengths } => {
                let ty = context.side.ty(array);
                let known = Known { is_not_null: true, ty: Some((&*ty).into()), is_exact: true };
                let lengths = self.list(code, lengths);
                return event(format!("new {ty}"), &lengths, Gives::New(known), Raises::Anything);
            }
            Op::ArrayLength(array) => {
                let array = self.value(array);
                context.not_null(array)?;
                Some(context.terms.apply("length", &[array]))
            }
            Op::ArrayLoad { kind, array, index } => {
                return self.load(context, kind, array, index);
            }
            Op::ArrayStore { kind, array, index, value } => {
                let arguments = [self.value(array), self.value(index), self.value(value)];
                self.see(context, &arguments[2..])?;
                if self.is_blank(context.terms, &arguments) {
                    self.resume(None);
                    return Ok(());
                }
                let key = format!("store {}", kind.word());
                return event(key, &arguments, Gives::Nothing, Raises::Anything);
            }
            Op::GetStatic(field) => match context.side.table_of_field(field) {
                Some(table) => Some(context.terms.intern(Node::SwitchTable(table))),
                None => {
                    let known = context.declared(field.descriptor);
                    let key = format!("getstatic {}", context.side.field(field));
                    return event(key, &[], Gives::New(known), Raises::Anything);
                }
            },
            Op::PutStatic(field, value) => {
                let arguments = [self.value(value)];
                self.see(context, &arguments)?;
                let key = format!("putstatic {}", context.side.field(field));
                return event(key, &arguments, Gives::Nothing, Raises::Anything);
            }
            Op::GetField(field, object) => {
                let known = context.declared(field.descriptor);
                let name = context.side.field(field);
                let object = self.value(object);
                let own = self.lone.iter().find(|(field, of, _)| *field == name && *of == object);
                let held = own.map(|&(_, _, value)| value);
                if let Some(value) = held.or_else(|| context.facts.captured(&name, object)) {
                    self.resume(Some(value));
                    return Ok(());
                }
                let key = format!("getfield {name}");
                let raises = context.on(object);
                return checked(key, &[object], Gives::New(known), raises, object);
            }
            Op::PutField(field, object, value) => {
                let arguments = [self.value(object), self.value(value)];
                self.see(context, &arguments)?;
                let name = context.side.field(field);
                // Whoever reads it beyond this constructor finds nobody to agree with.
                if context.is_lone(field) && context.is_not_null(arguments[0]) {
                    self.lone.push((name, arguments[0], arguments[1]));
                    self.resume(None);
                    return Ok(());
                }
                let raises = context.on(arguments[0]);
                let key = format!("putfield {name}");
                let mut event = made(key, &arguments, Gives::Nothing, raises);
                event.checked = Some(arguments[0]);
                event.captures = context.side.is_captured(field).then_some(name);
                return Err(Stop::Event(Box::new(event)));
            }
            Op::Invoke { kind, method, arguments } => {
                let arguments = self.list(code, arguments);
                return self.invoke(context, kind, method, arguments);
            }
            Op::InvokeDynamic { call_site, arguments } => {
                let arguments = self.list(code, arguments);
                return self.dynamic(context, &body.call_sites[call_site as usize], &arguments);
            }
            Op::CheckCast(ty, value) => {
                let value = self.value(value);
                self.see(context, &[value])?;
                let ty: Rc<str> = context.side.ty(ty).into();
                let question = Question::IsA(ty.clone(), value);
                if *context.terms.node(value) != Node::Null
                    && context.known_answer(&question) != Some(true)
                {
                    let raises = Raises::Exactly("java/lang/ClassCastException");
                    let mut event =
                        made(format!("checkcast {ty}"), &[value], Gives::Old(value), raises);
                    event.cast = Some(ty);
                    return Err(Stop::Event(Box::new(event)));
                }
                Some(value)
            }
            Op::InstanceOf(ty, value) => {
                let value = self.value(value);
                self.see(context, &[value])?;
                let word = format!("{INSTANCE_OF}{}", context.side.ty(ty));
                Some(context.terms.apply(&word, &[value]))
            }
            Op::MonitorEnter(object) => {
                let object = self.value(object);
                let raises = context.on(object);
                return checked("monitorenter".into(), &[object], Gives::Nothing, raises, object);
            }
            Op::MonitorExit(object) => {
                let object = self.value(object);
                let key = "monitorexit".to_owned();
                return event(key, &[object], Gives::Nothing, Raises::Anything);
            }
        };
        self.resume(value);
        Ok(())
    }

    fn list(&self, code: &Code, list: program::ir::ValueList) -> Vec<Term> {
        code.body.list(list).iter().map(|&value| self.value(value)).collect()
    }

    fn load(
        &mut self,
        context: &mut Context<'_, '_>,
        kind: ArrayKind,
        array: Value,
        index: Value,
    ) -> Step {
        let arguments = [self.value(array), self.value(index)];
        if let Node::SwitchTable(_) = context.terms.node(arguments[0])
            && let Node::Apply(word, of) = context.terms.node(arguments[1])
            && &**word == ORDINAL
        {
            let of = of[0];
            let key = context.terms.apply(CASE, &[arguments[0], of]);
            self.resume(Some(key));
            return Ok(());
        }
        let ty = context.terms.known(arguments[0]).ty.clone();
        let ty =
            ty.as_deref().and_then(|ty| ty.strip_prefix('[')).filter(|_| kind == ArrayKind::Ref);
        let known = Known { ty: ty.map(Rc::from), ..Known::default() };
        event(format!("load {}", kind.word()), &arguments, Gives::New(known), Raises::Anything)
    }

    /// Whether a zero is written where there is one already: some compilers leave that out.
    fn is_blank(&self, terms: &Terms, &[array, index, value]: &[Term; 3]) -> bool {
        let is_zero = match *terms.node(value) {
            Node::Int(value) => value == 0,
            Node::Long(value) => value == 0,
            Node::Float(bits) => bits == 0,
            Node::Double(bits) => bits == 0,
            Node::Null => true,
            _ => false,
        };
        match (self.young.get(&array), terms.node(index)) {
            (Some((length, written)), Node::Int(at)) => {
                is_zero && (0..*length).contains(at) && !written.contains(at)
            }
            (_, _) => false,
        }
    }

    /// After an event: which arrays are still its side's own.
    pub(super) fn grow(&mut self, terms: &Terms, event: &Event, value: Option<Term>) {
        let mut seen = &event.arguments[..];
        if let ([array, index, _], true) = (seen, event.key.starts_with("store ")) {
            let written = self.young.get_mut(array);
            if let (Some((_, written)), Node::Int(at)) = (written, terms.node(*index)) {
                written.insert(*at);
                seen = &seen[2..];
            }
        }
        self.young.retain(|array, _| !seen.contains(array));
        if let ([length], Some(value), true) =
            (&event.arguments[..], value, event.key.starts_with("new ["))
            && let Node::Int(length) = *terms.node(*length)
        {
            self.young.insert(value, (length, BTreeSet::new()));
        }
    }

    fn invoke(
        &mut self,
        context: &mut Context<'_, '_>,
        kind: InvokeKind,
        method: MethodRef,
        arguments: Vec<Term>,
    ) -> Step {
        let side = context.side;
        let resolved = side.resolve(method);
        let key = side.method(method, resolved);
        if let Some(done) = self.builder_call(context, &key, &arguments)? {
            self.resume(done);
            return Ok(());
        }
        self.see(context, &arguments)?;
        if let Some(done) = self.known_call(context, &key, kind, &arguments)? {
            self.resume(Some(done));
            return Ok(());
        }
        if let Some(resolved) = resolved {
            if let Some(table) = side.table_of_method(resolved) {
                let table = context.terms.intern(Node::SwitchTable(table));
                self.resume(Some(table));
                return Ok(());
            }
            let caller = self.frame().method;
            if self.frames.len() < MOST_FRAMES && context.is_walked(resolved, caller, &arguments)? {
                let Some(code) = side.code(resolved) else { return Err(Stop::Foreign) };
                let inner = Walk::new(resolved, code, &arguments);
                self.frames.extend(inner.frames);
                return Ok(());
            }
        }
        let flags = resolved.map(|id| side.program.method(id).1.access_flags);
        let is_private = flags.is_some_and(|flags| flags.is_private());
        let how = match kind {
            InvokeKind::Static => "static",
            InvokeKind::Special => "exact",
            InvokeKind::Virtual | InvokeKind::Interface if is_private => "exact",
            InvokeKind::Virtual | InvokeKind::Interface => "virtual",
        };
        let key = if how == "virtual" { side.overridden(method, resolved) } else { key };
        let names = &side.program.names;
        let result = MethodDescriptor::parse(names.bytes(method.descriptor))
            .and_then(|descriptor| descriptor.result_type(names));
        let gives = match result {
            None => Gives::Nothing,
            Some(ty) => Gives::New(context.of_type(ty)),
        };
        let mut event = made(format!("{how} {key}"), &arguments, gives, Raises::Anything);
        if kind != InvokeKind::Static {
            event.checked = arguments.first().copied();
        }
        Err(Stop::Event(Box::new(event)))
    }

    fn dynamic(
        &mut self,
        context: &mut Context<'_, '_>,
        site: &CallSite,
        arguments: &[Term],
    ) -> Step {
        match site {
            CallSite::Concat(parts) => {
                let text = self.concat(context, parts, arguments)?;
                self.resume(Some(text));
                Ok(())
            }
            CallSite::Lambda(lambda) => {
                self.see(context, arguments)?;
                context.lambda(lambda, arguments)
            }
            CallSite::RecordMethod { .. }
            | CallSite::TypeSwitch(_)
            | CallSite::EnumSwitch(_)
            | CallSite::MethodHandle(_)
            | CallSite::Null
            | CallSite::PrimitiveClass(_)
            | CallSite::EnumConstant { .. }
            | CallSite::StaticFinal { .. }
            | CallSite::InvokeConstant { .. }
            | CallSite::Unknown(_) => {
                let Some(key) = context.site_key(site) else { return Err(Stop::Foreign) };
                self.see(context, arguments)?;
                event(key, arguments, Gives::New(Known::default()), Raises::Anything)
            }
        }
    }
}
