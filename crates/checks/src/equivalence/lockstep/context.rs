//! What a step is taken with: the side, the shared terms, and what is known on the way.

use program::ir::{BinaryOp, CallSite, Compare, Const, FieldRef, Lambda};
use program::{Kind, MethodId, Name, Primitive, Type};

use super::code::Side;
use super::terms::{ENUM_NAME, Facts, Known, Node, Question, Term, Terms};
use super::walk::{Event, Gives, Raises, Step, Stop};

pub(super) const ORDINAL: &str = "ordinal";
/// The case number of an enum constant in a table.
pub(super) const CASE: &str = "case";

/// The terms and the side that a step works with.
pub(super) struct Context<'a, 'p> {
    pub(super) side: &'a Side<'p>,
    pub(super) other: &'a Side<'p>,
    pub(super) terms: &'a mut Terms,
    pub(super) facts: &'a Facts,
    /// Questions of subtyping go to the new version, whose names all terms have.
    pub(super) new: &'a Side<'p>,
    pub(super) assumptions: &'a mut std::collections::BTreeSet<&'static str>,
}

impl Context<'_, '_> {
    pub(super) fn known_answer(&self, question: &Question) -> Option<bool> {
        self.facts.decide(self.terms, question, &|sub, sup| self.new.is_subtype(sub, sup))
    }

    pub(super) fn decide(&self, question: Question) -> Result<bool, Stop> {
        self.known_answer(&question).ok_or(Stop::Fork(question))
    }

    pub(super) fn is_not_null(&mut self, object: Term) -> bool {
        let null = self.terms.intern(Node::Null);
        self.known_answer(&equal(object, null)) == Some(false)
    }

    /// Whether a compiler made a field for a captured value and the other one found no need of it.
    pub(super) fn is_lone(&self, field: FieldRef) -> bool {
        self.side.is_captured(field) && !self.other.declares(&self.side.field(field))
    }

    pub(super) fn on(&mut self, object: Term) -> Raises {
        match self.is_not_null(object) {
            true => Raises::Nothing,
            false => Raises::Exactly("java/lang/NullPointerException"),
        }
    }

    /// Stops where an object may be null that must not be.
    pub(super) fn not_null(&mut self, object: Term) -> Step {
        if self.is_not_null(object) {
            return Ok(());
        }
        let mut event = made("null check".into(), &[object], Gives::Again, self.on(object));
        event.checked = Some(object);
        Err(Stop::Event(Box::new(event)))
    }

    /// Whether a method is walked through where it is called: on an object that is there.
    pub(super) fn is_walked(
        &mut self,
        callee: MethodId,
        caller: MethodId,
        arguments: &[Term],
    ) -> Result<bool, Stop> {
        if self.side.is_inlined(callee) {
            return Ok(true);
        }
        if !self.side.is_moved(self.other, callee, caller) {
            return Ok(false);
        }
        let is_static = self.side.program.method(callee).1.access_flags.is_static();
        if let Some(&receiver) = arguments.first().filter(|_| !is_static) {
            self.not_null(receiver)?;
        }
        Ok(true)
    }

    pub(super) fn compare(&mut self, compare: Compare, one: Term, two: Term) -> (Question, bool) {
        match compare {
            Compare::Equal | Compare::NotEqual => {
                let question = match (self.terms.node(one), self.terms.node(two)) {
                    (_, &Node::Int(key)) => self.equals_int(one, key),
                    (&Node::Int(key), _) => self.equals_int(two, key),
                    (_, _) => equal(one, two),
                };
                match question {
                    Question::Equal(value, one) if self.is_truth(value, one) => {
                        let zero = self.terms.intern(Node::Int(0));
                        (Question::Equal(value, zero), compare == Compare::NotEqual)
                    }
                    question => (question, compare == Compare::Equal),
                }
            }
            Compare::Less => (Question::Less(one, two), true),
            Compare::GreaterOrEqual => (Question::Less(one, two), false),
            Compare::Greater => (Question::Less(two, one), true),
            Compare::LessOrEqual => (Question::Less(two, one), false),
        }
    }

    /// Whether a boolean is compared with true: some compilers ask whether it is not false.
    fn is_truth(&self, value: Term, one: Term) -> bool {
        let is_boolean = self.terms.known(value).ty.as_deref() == Some(BOOLEAN);
        is_boolean && *self.terms.node(one) == Node::Int(1)
    }

    /// A case number of a compiler's table asks for the constant that it stands for.
    pub(super) fn equals_int(&mut self, value: Term, key: i32) -> Question {
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

    pub(super) fn binary(&mut self, op: BinaryOp, one: Term, two: Term) -> Result<Term, Stop> {
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

    pub(super) fn constant(&mut self, constant: Const) -> Result<Term, Stop> {
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

    pub(super) fn declared(&self, descriptor: Name) -> Known {
        let names = &self.side.program.names;
        match Type::parse(names.bytes(descriptor), names) {
            Some(ty) => self.of_type(ty),
            None => Known::default(),
        }
    }

    pub(super) fn of_type(&self, ty: Type) -> Known {
        known_of(self.side, ty)
    }

    pub(super) fn lambda(&mut self, lambda: &Lambda, arguments: &[Term]) -> Step {
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
    pub(super) fn site_key(&self, site: &CallSite) -> Option<String> {
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

const BOOLEAN: &str = Primitive::Boolean.keyword();

/// What a declared type says of a value. Of numbers, only booleans are told apart.
pub(super) fn known_of(side: &Side<'_>, ty: Type) -> Known {
    let is_boolean = ty == Type::primitive(Primitive::Boolean);
    let ty = (is_boolean || ty.kind() == Kind::Ref).then(|| side.ty(ty).into());
    Known { ty, ..Known::default() }
}

pub(super) fn equal(one: Term, two: Term) -> Question {
    Question::Equal(one.max(two), one.min(two))
}

pub(super) fn made(key: String, arguments: &[Term], result: Gives, raises: Raises) -> Event {
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

pub(super) fn event<T>(
    key: String,
    arguments: &[Term],
    result: Gives,
    raises: Raises,
) -> Result<T, Stop> {
    Err(Stop::Event(Box::new(made(key, arguments, result, raises))))
}

/// An event that fails on null alone.
pub(super) fn checked(
    key: String,
    arguments: &[Term],
    result: Gives,
    raises: Raises,
    object: Term,
) -> Step {
    let mut event = made(key, arguments, result, raises);
    event.checked = Some(object);
    Err(Stop::Event(Box::new(event)))
}
