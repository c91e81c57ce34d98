//! One side's way through its code: silent steps up to the next event.
//!
//! Silent is what nobody else can see and what cannot fail: constants, arithmetic, jumps, a
//! compiler's own helper methods, string builders that never get out of the expression that made them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use program::ir::{
    ArrayKind, BinaryOp, BlockId, CallSite, Compare, ConcatPart, Condition, Const, Edge, Handler,
    Instruction, InvokeKind, Lambda, MethodRef, Op, Terminator, Value,
};
use program::{Kind, MethodDescriptor, MethodId, Name, Type};

use super::code::{Code, Side};
use super::terms::{
    ENUM_NAME, Facts, INSTANCE_OF, Known, Node, Part, Question, Term, Terms, VALUE_OF,
};

const MOST_FRAMES: usize = 8;
const BUILDER: &str = "java/lang/StringBuilder";

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
    /// The last one runs; the others wait for what the compiler made them call.
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

/// The terms and the side that a step works with.
pub(super) struct Context<'a, 'p> {
    pub(super) side: &'a Side<'p>,
    pub(super) terms: &'a mut Terms,
    pub(super) facts: &'a Facts,
    /// Questions of subtyping go to the new version, whose names all terms have.
    pub(super) new: &'a Side<'p>,
    pub(super) assumptions: &'a mut std::collections::BTreeSet<&'static str>,
}

type Step = Result<(), Stop>;

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
                let (question, polarity) = self.question(context, condition);
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

    fn question(&self, context: &mut Context<'_, '_>, condition: Condition) -> (Question, bool) {
        let null = context.terms.intern(Node::Null);
        match condition {
            Condition::Int(compare, one, two) => {
                let (one, two) = (self.value(one), self.value(two));
                context.compare(compare, one, two)
            }
            Condition::IntToZero(compare, value) => {
                let zero = context.terms.intern(Node::Int(0));
                context.compare(compare, self.value(value), zero)
            }
            Condition::SameRef(one, two) => (equal(self.value(one), self.value(two)), true),
            Condition::NotSameRef(one, two) => (equal(self.value(one), self.value(two)), false),
            Condition::Null(value) => (equal(self.value(value), null), true),
            Condition::NotNull(value) => (equal(self.value(value), null), false),
        }
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
                if let Some(value) = context.facts.captured(&name, object) {
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
            match (written, terms.node(*index)) {
                (Some((_, written)), Node::Int(at)) => {
                    written.insert(*at);
                    seen = &seen[2..];
                }
                (_, _) => {}
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

    /// A builder that goes where others see it has to be a real object first.
    fn see(&mut self, context: &mut Context<'_, '_>, terms: &[Term]) -> Step {
        for &term in terms {
            let Node::Builder(number) = *context.terms.node(term) else { continue };
            let Some(builder) = self.builders.get(&number) else { return Err(Stop::Foreign) };
            let ty: Rc<str> = BUILDER.into();
            let gives = Gives::Builder(number);
            if !builder.is_made {
                return event(format!("new {ty}"), &[], gives, Raises::Nothing);
            }
            let parts = builder.parts.clone();
            let text = context.terms.concat(&parts);
            return event("builder".into(), &[text], gives, Raises::Nothing);
        }
        Ok(())
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
            if side.is_inlined(resolved) && self.frames.len() < MOST_FRAMES {
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

    /// Calls on a builder that nobody else has seen.
    fn builder_call(
        &mut self,
        context: &mut Context<'_, '_>,
        key: &str,
        arguments: &[Term],
    ) -> Result<Option<Option<Term>>, Stop> {
        let Some(&receiver) = arguments.first() else { return Ok(None) };
        let Node::Builder(number) = *context.terms.node(receiver) else { return Ok(None) };
        let Some(builder) = self.builders.get_mut(&number) else { return Err(Stop::Foreign) };
        let call = key.split_once('.').map_or("", |(_, call)| call);
        if !builder.is_made {
            match call {
                "<init>()V" => builder.is_made = true,
                "<init>(Ljava/lang/String;)V" if context.terms.known(arguments[1]).is_not_null => {
                    builder.is_made = true;
                    builder.parts.push(context.terms.part(b'S', arguments[1]));
                }
                _ => return Ok(None),
            }
            return Ok(Some(None));
        }
        let Some(descriptor) = call.strip_prefix("append") else {
            if call == "toString()Ljava/lang/String;" {
                let parts = builder.parts.clone();
                return Ok(Some(Some(context.terms.concat(&parts))));
            }
            return Ok(None);
        };
        let kind = match descriptor.split_once(')').map_or("", |(parameters, _)| parameters) {
            "(Ljava/lang/String;" => b'S',
            "(Ljava/lang/Object;" => {
                let part = context.text_of(arguments[1], &mut self.partial)?;
                builder.parts.push(part);
                return Ok(Some(Some(receiver)));
            }
            "(I" => b'I',
            "(C" => b'C',
            "(J" => b'J',
            "(F" => b'F',
            "(D" => b'D',
            "(Z" => b'Z',
            _ => return Ok(None),
        };
        builder.parts.push(context.terms.part(kind, arguments[1]));
        Ok(Some(Some(receiver)))
    }

    /// Library calls whose meaning is plain, whichever of them a compiler chose.
    fn known_call(
        &mut self,
        context: &mut Context<'_, '_>,
        key: &str,
        kind: InvokeKind,
        arguments: &[Term],
    ) -> Result<Option<Term>, Stop> {
        Ok(Some(match key {
            "java/util/Objects.requireNonNull(Ljava/lang/Object;)Ljava/lang/Object;" => {
                context.not_null(arguments[0])?;
                arguments[0]
            }
            "java/lang/Object.getClass()Ljava/lang/Class;" if kind == InvokeKind::Virtual => {
                context.not_null(arguments[0])?;
                context.terms.apply("getClass", arguments)
            }
            "java/lang/Enum.ordinal()I" => {
                context.not_null(arguments[0])?;
                context.terms.apply(ORDINAL, arguments)
            }
            "java/lang/String.valueOf(Ljava/lang/Object;)Ljava/lang/String;" => {
                let part = context.text_of(arguments[0], &mut self.partial)?;
                // The text that an event gave is the result itself.
                if part.term == arguments[0] {
                    context.terms.apply(&format!("{VALUE_OF}{}", part.kind as char), arguments)
                } else {
                    part.term
                }
            }
            _ => {
                let primitive = key
                    .strip_prefix("java/lang/String.valueOf(")
                    .and_then(|rest| rest.strip_suffix(")Ljava/lang/String;"));
                match primitive {
                    Some(kind @ ("I" | "J" | "C" | "Z" | "F" | "D")) => {
                        context.terms.apply(&format!("{VALUE_OF}{kind}"), arguments)
                    }
                    Some(_) | None => return Ok(None),
                }
            }
        }))
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

    /// The arguments are all there before the first is turned into text.
    fn concat(
        &mut self,
        context: &mut Context<'_, '_>,
        parts: &[ConcatPart],
        arguments: &[Term],
    ) -> Result<Term, Stop> {
        let mut given = arguments.iter();
        let mut texts = std::mem::take(&mut self.partial).into_iter();
        let mut used = Vec::new();
        let mut whole = Vec::new();
        for part in parts {
            let part = match part {
                ConcatPart::Text(text) => {
                    let units = context.side.program.names.utf16(*text);
                    let term = context.terms.intern(Node::Text(units.into()));
                    Part { kind: b'S', term }
                }
                ConcatPart::Constant(constant) => {
                    let term = context.constant(*constant)?;
                    if !matches!(context.terms.node(term), Node::Text(_)) {
                        return Err(Stop::Foreign);
                    }
                    Part { kind: b'S', term }
                }
                ConcatPart::Argument(ty) => {
                    let &term = given.next().ok_or(Stop::Foreign)?;
                    match letter(context, *ty) {
                        Some(kind) => Part { kind, term },
                        None => match context.pure_text(term) {
                            Some(part) => part,
                            None => match texts.next() {
                                Some(part) => {
                                    used.push(part);
                                    part
                                }
                                None => {
                                    self.partial = used;
                                    self.see(context, &[term])?;
                                    return context.text_of(term, &mut Vec::new()).map(|p| p.term);
                                }
                            },
                        },
                    }
                }
            };
            whole.push(part);
        }
        Ok(context.terms.concat(&whole))
    }
}

const ORDINAL: &str = "ordinal";
/// The case number of an enum constant in a table.
const CASE: &str = "case";

/// How a value of a primitive type or a string is written; nothing for other objects.
fn letter(context: &Context<'_, '_>, ty: Type) -> Option<u8> {
    let text = context.side.ty(ty);
    Some(match text.as_str() {
        "int" | "short" | "byte" => b'I',
        "char" => b'C',
        "boolean" => b'Z',
        "long" => b'J',
        "float" => b'F',
        "double" => b'D',
        "java/lang/String" => b'S',
        _ => return None,
    })
}

fn equal(one: Term, two: Term) -> Question {
    Question::Equal(one.max(two), one.min(two))
}

fn made(key: String, arguments: &[Term], result: Gives, raises: Raises) -> Event {
    let arguments = arguments.to_vec();
    Event {
        key,
        arguments,
        result,
        raises,
        lambda: None,
        checked: None,
        cast: None,
        captures: None,
    }
}

fn event<T>(key: String, arguments: &[Term], result: Gives, raises: Raises) -> Result<T, Stop> {
    Err(Stop::Event(Box::new(made(key, arguments, result, raises))))
}

/// An event that fails on null alone.
fn checked(key: String, arguments: &[Term], result: Gives, raises: Raises, object: Term) -> Step {
    let mut event = made(key, arguments, result, raises);
    event.checked = Some(object);
    Err(Stop::Event(Box::new(event)))
}

impl Context<'_, '_> {
    fn known_answer(&self, question: &Question) -> Option<bool> {
        self.facts.decide(self.terms, question, &|sub, sup| self.new.is_subtype(sub, sup))
    }

    fn decide(&self, question: Question) -> Result<bool, Stop> {
        self.known_answer(&question).ok_or(Stop::Fork(question))
    }

    fn is_not_null(&mut self, object: Term) -> bool {
        let null = self.terms.intern(Node::Null);
        self.known_answer(&equal(object, null)) == Some(false)
    }

    fn on(&mut self, object: Term) -> Raises {
        match self.is_not_null(object) {
            true => Raises::Nothing,
            false => Raises::Exactly("java/lang/NullPointerException"),
        }
    }

    /// Stops where an object may be null that must not be.
    fn not_null(&mut self, object: Term) -> Step {
        if self.is_not_null(object) {
            return Ok(());
        }
        let mut event = made("null check".into(), &[object], Gives::Again, self.on(object));
        event.checked = Some(object);
        Err(Stop::Event(Box::new(event)))
    }

    fn compare(&mut self, compare: Compare, one: Term, two: Term) -> (Question, bool) {
        match compare {
            Compare::Equal | Compare::NotEqual => {
                let question = match (self.terms.node(one), self.terms.node(two)) {
                    (_, &Node::Int(key)) => self.equals_int(one, key),
                    (&Node::Int(key), _) => self.equals_int(two, key),
                    (_, _) => equal(one, two),
                };
                (question, compare == Compare::Equal)
            }
            Compare::Less => (Question::Less(one, two), true),
            Compare::GreaterOrEqual => (Question::Less(one, two), false),
            Compare::Greater => (Question::Less(two, one), true),
            Compare::LessOrEqual => (Question::Less(two, one), false),
        }
    }

    /// A case number of a compiler's table asks for the constant that it stands for.
    fn equals_int(&mut self, value: Term, key: i32) -> Question {
        if let Node::Apply(word, arguments) = self.terms.node(value)
            && &**word == CASE
            && let Node::SwitchTable(table) = self.terms.node(arguments[0])
            && let Some((_, name)) = table.iter().find(|(number, _)| *number == key)
        {
            let units: Vec<u16> = name.encode_utf16().collect();
            let object = arguments[1];
            let constant = self.terms.intern(Node::Text(units.into()));
            let name = self.terms.apply(ENUM_NAME, &[object]);
            return Question::Equal(name, constant);
        }
        let key = self.terms.intern(Node::Int(key));
        if value == key {
            return Question::Equal(value, key);
        }
        // The constant second: facts look for it there.
        Question::Equal(value, key)
    }

    fn binary(&mut self, op: BinaryOp, one: Term, two: Term) -> Result<Term, Stop> {
        let is_zero = match *self.terms.node(two) {
            Node::Int(value) => value == 0,
            Node::Long(value) => value == 0,
            _ => true,
        };
        if op.can_throw() && is_zero {
            let raises = Raises::Exactly("java/lang/ArithmeticException");
            return event(op.word(), &[one, two], Gives::New(Known::default()), raises);
        }
        Ok(self.terms.binary(op, one, two))
    }

    fn constant(&mut self, constant: Const) -> Result<Term, Stop> {
        let node = match constant {
            Const::Null => Node::Null,
            Const::Int(value) => Node::Int(value),
            Const::Long(value) => Node::Long(value),
            Const::Float(bits) => Node::Float(bits),
            Const::Double(bits) => Node::Double(bits),
            Const::String(text) => {
                let program = self.side.program;
                Node::Text(program.names.utf16(program.literal(text)).into())
            }
            Const::Class(ty) => Node::Named(format!("class {}", self.side.ty(ty)).into()),
            Const::MethodType(name) => {
                Node::Named(format!("type {}", self.side.descriptor(name)).into())
            }
            Const::Dynamic(..) => return Err(Stop::Foreign),
        };
        Ok(self.terms.intern(node))
    }

    fn declared(&self, descriptor: Name) -> Known {
        let names = &self.side.program.names;
        match Type::parse(names.bytes(descriptor), names) {
            Some(ty) => self.of_type(ty),
            None => Known::default(),
        }
    }

    pub(super) fn of_type(&self, ty: Type) -> Known {
        let ty = (ty.kind() == Kind::Ref).then(|| self.side.ty(ty).into());
        Known { ty, ..Known::default() }
    }

    /// The text of a value whose `toString` is the platform's own and does nothing else.
    fn pure_text(&mut self, term: Term) -> Option<Part> {
        const PLAIN: [&str; 8] = [
            "java/lang/Integer",
            "java/lang/Long",
            "java/lang/Short",
            "java/lang/Byte",
            "java/lang/Boolean",
            "java/lang/Character",
            "java/lang/Float",
            "java/lang/Double",
        ];
        if matches!(self.terms.node(term), Node::Text(_) | Node::Null | Node::Concat(_)) {
            return Some(Part { kind: b'S', term });
        }
        let is_a =
            |class: &&str| self.known_answer(&Question::IsA((*class).into(), term)) == Some(true);
        if is_a(&"java/lang/String") {
            return Some(Part { kind: b'S', term });
        }
        PLAIN.iter().any(is_a).then(|| {
            let text = self.terms.apply(&format!("{VALUE_OF}O"), &[term]);
            self.terms.part(b'S', text)
        })
    }

    /// The text of any object: what `toString` gives, by an event of its own.
    fn text_of(&mut self, term: Term, partial: &mut Vec<Part>) -> Result<Part, Stop> {
        if let Some(part) = self.pure_text(term) {
            return Ok(part);
        }
        if let Some(part) = partial.pop() {
            return Ok(part);
        }
        self.assumptions.insert("toString() does not return null");
        event("toString".into(), &[term], Gives::Text, Raises::Anything)
    }

    fn lambda(&mut self, lambda: &Lambda, arguments: &[Term]) -> Step {
        let side = self.side;
        let mut key = side.lambda(lambda);
        let known = Known { is_not_null: true, ..Known::default() };
        let implementation = side.lambda_body(lambda);
        if implementation.is_none() {
            let handle = lambda.implementation;
            let resolved = side.resolve(handle.member);
            key.push_str(&format!(" {:?} {}", handle.kind, side.method(handle.member, resolved)));
        }
        let mut event = made(key, arguments, Gives::New(known), Raises::Anything);
        event.lambda = implementation;
        Err(Stop::Event(Box::new(event)))
    }

    /// Other call sites, if all that they are can be written down.
    fn site_key(&self, site: &CallSite) -> Option<String> {
        let side = self.side;
        let names = &side.program.names;
        Some(match site {
            CallSite::RecordMethod { name, class, components } => {
                let fields = components.iter().map(|handle| {
                    let member = handle.member;
                    format!(
                        "{}.{}:{}",
                        side.class(member.class),
                        names.text(member.name),
                        side.descriptor(member.descriptor)
                    )
                });
                let fields: Vec<String> = fields.collect();
                format!("record {} {} {fields:?}", names.text(*name), side.class(*class))
            }
            CallSite::TypeSwitch(_)
            | CallSite::EnumSwitch(_)
            | CallSite::MethodHandle(_)
            | CallSite::Null
            | CallSite::PrimitiveClass(_)
            | CallSite::EnumConstant { .. }
            | CallSite::StaticFinal { .. }
            | CallSite::InvokeConstant { .. }
            | CallSite::Unknown(_)
            | CallSite::Concat(_)
            | CallSite::Lambda(_) => return None,
        })
    }
}
