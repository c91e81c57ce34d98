//! What both sides compute with: hash-consed expressions over the results of shared events.

use std::rc::Rc;

use program::ir::BinaryOp;
use rustc_hash::FxHashMap;

/// A value that both sides may hold: equal ids, equal values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Term(u32);

impl Term {
    /// What no instruction has defined yet.
    pub(super) const UNDEFINED: Term = Term(0);
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Node {
    Undefined,
    /// The result of an event, or what a place held when two ways met.
    Symbol(u32),
    Int(i32),
    Long(i64),
    /// Bits.
    Float(u32),
    Double(u64),
    Null,
    Text(Box<[u16]>),
    /// A constant of another kind, by its text.
    Named(Rc<str>),
    /// An operation without effect that cannot fail.
    Apply(Rc<str>, Box<[Term]>),
    /// A string, by its parts.
    Concat(Box<[Part]>),
    /// A string builder that nobody else has seen; its parts are in the walk.
    Builder(u32),
    /// The map from enum constants to case numbers that a compiler made for a switch.
    SwitchTable(Box<[(i32, Rc<str>)]>),
}

/// A part of a string: `kind` is the descriptor letter of what is written, `S` for a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Part {
    pub(super) kind: u8,
    pub(super) term: Term,
}

/// What is known of a reference beyond its identity.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) is_not_null: bool,
    /// The declared type, as in a class constant.
    pub(super) ty: Option<Rc<str>>,
    /// Whether the runtime class is just that.
    pub(super) is_exact: bool,
}

#[derive(Default)]
pub(super) struct Terms {
    nodes: Vec<Node>,
    known: Vec<Known>,
    ids: FxHashMap<Node, Term>,
    n_symbols: u32,
}

impl Terms {
    pub(super) fn new() -> Terms {
        let mut terms = Terms::default();
        terms.intern(Node::Undefined);
        terms
    }

    pub(super) fn intern(&mut self, node: Node) -> Term {
        if let Some(&known) = self.ids.get(&node) {
            return known;
        }
        let term = Term(self.nodes.len() as u32);
        let known = Known { is_not_null: is_not_null(&node), ..Known::default() };
        self.ids.insert(node.clone(), term);
        self.nodes.push(node);
        self.known.push(known);
        term
    }

    pub(super) fn symbol(&mut self, known: Known) -> Term {
        self.n_symbols += 1;
        let term = self.intern(Node::Symbol(self.n_symbols));
        self.known[term.0 as usize] = known;
        term
    }

    pub(super) fn apply(&mut self, word: &str, arguments: &[Term]) -> Term {
        self.intern(Node::Apply(word.into(), arguments.into()))
    }

    /// An operation on two operands; where their order does not matter, it is always the same.
    pub(super) fn binary(&mut self, op: BinaryOp, one: Term, two: Term) -> Term {
        let (one, two) = match op {
            BinaryOp::Add(_)
            | BinaryOp::Mul(_)
            | BinaryOp::And(_)
            | BinaryOp::Or(_)
            | BinaryOp::Xor(_) => (one.min(two), one.max(two)),
            BinaryOp::Sub(_)
            | BinaryOp::Div(_)
            | BinaryOp::Rem(_)
            | BinaryOp::Shl(_)
            | BinaryOp::Shr(_)
            | BinaryOp::Ushr(_)
            | BinaryOp::CompareLong
            | BinaryOp::CompareLess(_)
            | BinaryOp::CompareGreater(_) => (one, two),
        };
        self.apply(&op.word(), &[one, two])
    }

    pub(super) fn node(&self, term: Term) -> &Node {
        &self.nodes[term.0 as usize]
    }

    pub(super) fn known(&self, term: Term) -> &Known {
        &self.known[term.0 as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Constants stay what they are where ways meet.
    pub(super) fn is_constant(&self, term: Term) -> bool {
        match self.node(term) {
            Node::Int(_)
            | Node::Long(_)
            | Node::Float(_)
            | Node::Double(_)
            | Node::Null
            | Node::Text(_)
            | Node::Named(_)
            | Node::SwitchTable(_)
            | Node::Undefined => true,
            Node::Symbol(_) | Node::Apply(..) | Node::Concat(_) | Node::Builder(_) => false,
        }
    }

    /// A part, without the detour over a string that only says the same.
    pub(super) fn part(&self, kind: u8, term: Term) -> Part {
        match self.node(term) {
            Node::Apply(word, arguments) if kind == b'S' => match word.strip_prefix(VALUE_OF) {
                Some(kind) => Part { kind: kind.as_bytes()[0], term: arguments[0] },
                None => Part { kind, term },
            },
            _ => Part { kind, term },
        }
    }

    /// A string by its parts, in a form that does not depend on how they were put together. It is a new
    /// object also where all of them are constants.
    pub(super) fn concat(&mut self, parts: &[Part]) -> Term {
        let mut flat: Vec<Part> = Vec::new();
        let mut text: Vec<u16> = Vec::new();
        for &part in parts {
            self.flatten(part, &mut flat, &mut text);
        }
        self.end_text(&mut flat, &mut text);
        self.intern(Node::Concat(flat.into()))
    }

    fn flatten(&mut self, part: Part, flat: &mut Vec<Part>, text: &mut Vec<u16>) {
        let said: Option<Vec<u16>> = match (part.kind, self.node(part.term)) {
            (b'S', Node::Text(units)) => Some(units.to_vec()),
            (b'S', Node::Null) => Some("null".encode_utf16().collect()),
            (b'C', &Node::Int(unit)) => Some(vec![unit as u16]),
            (b'Z', &Node::Int(value)) => {
                Some(if value != 0 { "true" } else { "false" }.encode_utf16().collect())
            }
            (b'I', &Node::Int(value)) => Some(value.to_string().encode_utf16().collect()),
            (b'J', &Node::Long(value)) => Some(value.to_string().encode_utf16().collect()),
            (_, _) => None,
        };
        if let Some(said) = said {
            text.extend(said);
            return;
        }
        let inner: Option<Vec<Part>> = match (part.kind, self.node(part.term)) {
            (b'S', Node::Concat(parts)) => Some(parts.to_vec()),
            (_, _) => {
                Some(self.part(part.kind, part.term)).filter(|&it| it != part).map(|it| vec![it])
            }
        };
        match inner {
            Some(inner) => inner.into_iter().for_each(|part| self.flatten(part, flat, text)),
            None => {
                self.end_text(flat, text);
                flat.push(part);
            }
        }
    }

    fn end_text(&mut self, flat: &mut Vec<Part>, text: &mut Vec<u16>) {
        if !text.is_empty() {
            let term = self.intern(Node::Text(std::mem::take(text).into()));
            flat.push(Part { kind: b'S', term });
        }
    }
}

/// The word of `String.valueOf` applied to a primitive or a string, before the kind.
pub(super) const VALUE_OF: &str = "valueOf ";

fn is_not_null(node: &Node) -> bool {
    match node {
        Node::Text(_) | Node::Concat(_) | Node::Builder(_) | Node::SwitchTable(_) => true,
        Node::Named(_) => true,
        Node::Apply(word, _) => word.starts_with(VALUE_OF),
        Node::Undefined
        | Node::Symbol(_)
        | Node::Int(_)
        | Node::Long(_)
        | Node::Float(_)
        | Node::Double(_)
        | Node::Null => false,
    }
}

/// A question that a branch asks, in one of a few forms; the rest is polarity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Question {
    Equal(Term, Term),
    Less(Term, Term),
    /// Whether a reference that is not null is of a class.
    IsA(Rc<str>, Term),
}

/// What is known on a way since the last meeting point.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    answers: Vec<(Question, bool)>,
    /// Fields that are written once, with their objects and values.
    captured: Vec<(String, Term, Term)>,
}

impl Facts {
    pub(super) fn add(&mut self, question: Question, answer: bool) {
        self.answers.push((question, answer));
    }

    pub(super) fn capture(&mut self, field: String, object: Term, value: Term) {
        self.captured.push((field, object, value));
    }

    pub(super) fn captured(&self, field: &str, object: Term) -> Option<Term> {
        let held = self.captured.iter().find(|(name, of, _)| name == field && *of == object);
        held.map(|&(_, _, value)| value)
    }

    /// What is known of a reference on this way.
    pub(super) fn known(&self, terms: &Terms, term: Term) -> Known {
        let mut known = terms.known(term).clone();
        for (question, answer) in &self.answers {
            match question {
                Question::Equal(one, two) if !answer => {
                    let is_null = |other: Term| *terms.node(other) == Node::Null;
                    known.is_not_null |=
                        *one == term && is_null(*two) || *two == term && is_null(*one);
                }
                Question::IsA(class, of) if *answer && *of == term && !known.is_exact => {
                    known.ty = Some(class.clone());
                }
                Question::Equal(..) | Question::IsA(..) | Question::Less(..) => {}
            }
        }
        known
    }

    /// The answer, where it is known. `is_subtype` compares two classes by name.
    pub(super) fn decide(
        &self,
        terms: &Terms,
        question: &Question,
        is_subtype: &dyn Fn(&str, &str) -> Option<bool>,
    ) -> Option<bool> {
        if let Some((_, answer)) = self.answers.iter().rev().find(|(known, _)| known == question) {
            return Some(*answer);
        }
        match question {
            Question::Equal(one, two) => self.decide_equal(terms, *one, *two),
            Question::Less(one, two) => match (terms.node(*one), terms.node(*two)) {
                (Node::Int(one), Node::Int(two)) => Some(one < two),
                (_, _) => None,
            },
            Question::IsA(class, object) => self.decide_class(terms, class, *object, is_subtype),
        }
    }

    fn decide_equal(&self, terms: &Terms, one: Term, two: Term) -> Option<bool> {
        if one == two {
            // Two strings that were put together are two objects, equal as they may be.
            return (!matches!(terms.node(one), Node::Concat(_) | Node::Apply(..))
                || !terms.known(one).is_not_null)
                .then_some(true);
        }
        if let (Node::Int(a), Node::Int(b)) = (terms.node(one), terms.node(two)) {
            return Some(a == b);
        }
        let (object, other) = if *terms.node(one) == Node::Null { (two, one) } else { (one, two) };
        if *terms.node(other) == Node::Null {
            return terms.known(object).is_not_null.then_some(false);
        }
        // A value that is one constant is no other.
        let (value, constant) = if terms.is_constant(one) { (two, one) } else { (one, two) };
        if !matches!(terms.node(constant), Node::Int(_) | Node::Text(_)) {
            return None;
        }
        if *terms.node(constant) == Node::Int(0) && self.equals_another(terms, value) {
            return Some(true);
        }
        let is_name = matches!(terms.node(value), Node::Apply(word, _) if &**word == ENUM_NAME);
        if matches!(terms.node(constant), Node::Text(_)) && !is_name {
            return None;
        }
        let is_other = self.answers.iter().any(|(known, answer)| match known {
            Question::Equal(a, b) => {
                let (a, b) = if *a == value { (*a, *b) } else { (*b, *a) };
                *answer && a == value && b != constant && terms.is_constant(b)
            }
            Question::Less(..) | Question::IsA(..) => false,
        });
        is_other.then_some(false)
    }

    /// Whether a string is asked for a literal and is known to be another.
    fn equals_another(&self, terms: &Terms, asked: Term) -> bool {
        let question = |term: Term| match terms.node(term) {
            Node::Apply(word, arguments) if &**word == STRING_EQUALS => {
                let is_literal = matches!(terms.node(arguments[1]), Node::Text(_));
                is_literal.then_some((arguments[0], arguments[1]))
            }
            _ => None,
        };
        let Some((string, literal)) = question(asked) else { return false };
        self.answers.iter().any(|(known, answer)| match known {
            Question::Equal(test, zero) if !answer && *terms.node(*zero) == Node::Int(0) => {
                question(*test).is_some_and(|(of, other)| of == string && other != literal)
            }
            Question::Equal(..) | Question::Less(..) | Question::IsA(..) => false,
        })
    }

    fn decide_class(
        &self,
        terms: &Terms,
        class: &str,
        object: Term,
        is_subtype: &dyn Fn(&str, &str) -> Option<bool>,
    ) -> Option<bool> {
        let known = terms.known(object);
        if let Some(ty) = &known.ty {
            match is_subtype(ty, class) {
                Some(true) => return Some(true),
                Some(false) if known.is_exact => return Some(false),
                Some(false) | None => {}
            }
        }
        self.answers.iter().find_map(|(question, answer)| match question {
            Question::IsA(other, of) if *of == object => match answer {
                true if is_subtype(other, class) == Some(true) => Some(true),
                false if is_subtype(class, other) == Some(true) => Some(false),
                true | false => None,
            },
            // A successful instanceof, as an int.
            Question::Equal(test, zero) if !answer && *terms.node(*zero) == Node::Int(0) => {
                match terms.node(*test) {
                    Node::Apply(word, arguments) if arguments[0] == object => {
                        let other = word.strip_prefix(INSTANCE_OF)?;
                        (is_subtype(other, class) == Some(true)).then_some(true)
                    }
                    _ => None,
                }
            }
            Question::IsA(..) | Question::Equal(..) | Question::Less(..) => None,
        })
    }
}

pub(super) const STRING_EQUALS: &str = "java/lang/String.equals(Ljava/lang/Object;)Z";
pub(super) const INSTANCE_OF: &str = "instanceof ";
/// The name of an enum constant, for switches.
pub(super) const ENUM_NAME: &str = "name";
